-- events.insert: one item of the log
INSERT INTO events (space, session, seq, uid, kind, role, content, body, importance, origin, at, digest, link)
VALUES (:space, :session, :seq, :uid, :kind, :role, :content, :body, :importance, :origin, :at, :digest, :link);

-- events.list: in order, from just after a seq
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq > :after
 ORDER BY seq LIMIT :limit;

-- events.latest: the newest ones, newest first
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session
 ORDER BY seq DESC LIMIT :limit;

-- events.first_by: the first message of a role
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND role = :role AND kind = 'message'
 ORDER BY seq LIMIT 1;

-- events.chain: what the hash chain is verified with
SELECT seq, role, kind, content, body, importance, origin, at, digest, link
  FROM events WHERE space = :space AND session = :session ORDER BY seq;

-- events.delete: the whole log of a session
DELETE FROM events WHERE space = :space AND session = :session;
