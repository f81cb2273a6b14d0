-- sessions.touch: create the session or move its time
INSERT INTO sessions (space, session, created_at, updated_at, head)
VALUES (:space, :session, :at, :at, :head)
    ON CONFLICT (space, session) DO UPDATE SET updated_at = greatest(sessions.updated_at, excluded.updated_at)
RETURNING last_seq, head, events, rewrites, (SELECT s.secret FROM spaces s WHERE s.space = :space) AS secret;

-- sessions.advance: the log grew up to `last_seq`
UPDATE sessions SET last_seq = :last_seq, head = :head, events = events + :events,
       updated_at = greatest(updated_at, :at)
 WHERE space = :space AND session = :session;
