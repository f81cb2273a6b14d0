-- events.insert: one item of the log
INSERT INTO events (space, session, seq, uid, kind, role, content, body, importance, origin, at, digest, link)
VALUES (:space, :session, :seq, :uid, :kind, :role, :content, :body, :importance, :origin, :at, :digest, :link);

-- events.list: in order, from just after a seq
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq > :after
 ORDER BY seq LIMIT :limit;

-- events.latest: the newest ones before a seq, newest first
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq < :before
 ORDER BY seq DESC LIMIT :limit;

-- events.first_by: the first message of a role
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND role = :role AND kind = 'message'
 ORDER BY seq LIMIT 1;

-- events.chain: what the hash chain is verified with
SELECT seq, uid, role, kind, content, body, importance, origin, at, digest, link
  FROM events WHERE space = :space AND session = :session ORDER BY seq;

-- events.link: one event, likewise
SELECT seq, uid, role, kind, content, body, importance, origin, at, digest, link
  FROM events WHERE space = :space AND session = :session AND seq = :seq;

-- events.rewrite: another payload, under the uid and at the time of the old one
UPDATE events SET role = :role, content = :content, body = :body, importance = :importance,
       origin = :origin, digest = :digest, link = :link
 WHERE space = :space AND session = :session AND seq = :seq AND uid = :uid AND kind = :kind AND at = :at;

-- events.delete: the whole log of a session
DELETE FROM events WHERE space = :space AND session = :session;

-- events.one: one item of the log
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq = :seq;

-- events.keyed: the event of a key; the index holds uids of this version alone, and covers the inner query
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq = (
       SELECT seq FROM events
        WHERE space = :space AND session = :session AND uid = :uid AND substr(uid, 15, 1) = '8' LIMIT 1);

-- events.between: a range of the log, both ends included
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq >= :first AND seq <= :last
 ORDER BY seq;

-- events.before: messages before a seq, newest first
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq < :before AND kind = 'message'
 ORDER BY seq DESC LIMIT :limit;

-- events.count: the messages of a session, and those of them up to a seq
SELECT count(*), coalesce(sum(CASE WHEN seq <= :upto THEN 1 ELSE 0 END), 0)
  FROM events WHERE space = :space AND session = :session AND kind = 'message';

-- events.count_after: the messages after a seq, the link of the event there, and how many events left the log
SELECT count(*), (SELECT e.link FROM events e WHERE e.space = :space AND e.session = :session AND e.seq = :after),
       (SELECT count(*) FROM gaps g WHERE g.space = :space AND g.session = :session)
  FROM events WHERE space = :space AND session = :session AND seq > :after AND kind = 'message';

-- events.salient: messages before a seq that matter, newest first; the index holds those of 0.7 and more
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq < :before AND kind = 'message'
   AND importance >= 0.7 AND importance >= :least
 ORDER BY seq DESC LIMIT :limit;

-- events.weighty: the same for any importance, read from the log itself
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND seq < :before AND kind = 'message'
   AND importance >= :least
 ORDER BY seq DESC LIMIT :limit;

-- events.last_marker: where the last compaction stands
SELECT seq, uid, kind, role, content, body, importance, origin, at
  FROM events WHERE space = :space AND session = :session AND kind = 'marker'
 ORDER BY seq DESC LIMIT 1;
