-- scratchpads.get: the lines of a session
SELECT lines, updated_at FROM scratchpads WHERE space = :space AND session = :session;

-- scratchpads.put: replace them whole
INSERT INTO scratchpads (space, session, lines, updated_at, seal)
VALUES (:space, :session, :lines, :updated_at, :seal)
    ON CONFLICT (space, session) DO UPDATE SET lines = excluded.lines, updated_at = excluded.updated_at,
       seal = excluded.seal;

-- scratchpads.delete: empty it
DELETE FROM scratchpads WHERE space = :space AND session = :session RETURNING updated_at;
