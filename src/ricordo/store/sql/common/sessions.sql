-- sessions.get: where a session stands
SELECT last_seq, head, events, rewrites FROM sessions WHERE space = :space AND session = :session;

-- sessions.end: what the next event of a session is linked to
SELECT last_seq, head, events, rewrites, (SELECT s.secret FROM spaces s WHERE s.space = :space) AS secret
  FROM sessions WHERE space = :space AND session = :session;

-- sessions.touch: create the session or move its time
INSERT INTO sessions (space, session, created_at, updated_at, head)
VALUES (:space, :session, :at, :at, :head)
    ON CONFLICT (space, session) DO UPDATE SET updated_at = max(sessions.updated_at, excluded.updated_at)
RETURNING last_seq, head, events, rewrites, (SELECT s.secret FROM spaces s WHERE s.space = :space) AS secret;

-- sessions.advance: the log grew up to `last_seq`
UPDATE sessions SET last_seq = :last_seq, head = :head, events = events + :events, updated_at = max(updated_at, :at)
 WHERE space = :space AND session = :session;

-- sessions.rewrite: what the log holds was cut or edited
UPDATE sessions SET events = events - :events, rewrites = rewrites + 1
 WHERE space = :space AND session = :session;

-- sessions.info: one of them
SELECT session, events, last_seq, created_at, updated_at, agent
  FROM sessions WHERE space = :space AND session = :session;

-- sessions.beginning: those whose name begins so, most recently active first
SELECT session, events, last_seq, created_at, updated_at, agent
  FROM sessions WHERE space = :space AND session >= :prefix AND session < :beyond
   AND agent IS NOT DISTINCT FROM coalesce(:agent, agent)
 ORDER BY updated_at DESC, session LIMIT :limit;

-- sessions.list: most recently active first
SELECT session, events, last_seq, created_at, updated_at, agent
  FROM sessions WHERE space = :space AND agent IS NOT DISTINCT FROM coalesce(:agent, agent)
 ORDER BY updated_at DESC, session LIMIT :limit;

-- sessions.newest: how new the last events of each one are, the newest first
SELECT session, coalesce((SELECT max(at) FROM events
                           WHERE events.space = :space AND events.session = sessions.session
                             AND events.seq > sessions.last_seq - :depth), updated_at) AS newest
  FROM sessions WHERE space = :space ORDER BY newest DESC, session LIMIT :limit;

-- sessions.assign: who holds it
UPDATE sessions SET agent = :agent WHERE space = :space AND session = :session;

-- sessions.delete: the row itself; events and chunks go before it
DELETE FROM sessions WHERE space = :space AND session = :session;
