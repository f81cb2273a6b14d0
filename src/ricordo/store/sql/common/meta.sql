-- meta.get: a setting of the file
SELECT value FROM meta WHERE key = :key;

-- meta.put: set it
INSERT INTO meta (key, value) VALUES (:key, :value)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- meta.create: set it, if it is missing
INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO NOTHING;

-- meta.swap: set it, unless somebody else did since `before` was read
UPDATE meta SET value = :value WHERE key = :key AND value = :before RETURNING key;

-- meta.delete: remove it
DELETE FROM meta WHERE key = :key;

-- stats.space: counts of one space
SELECT (SELECT count(*) FROM sessions s WHERE s.space = :space) AS sessions,
       (SELECT count(*) FROM events v WHERE v.space = :space) AS events,
       (SELECT count(*) FROM entries e WHERE e.space = :space) AS entries,
       (SELECT count(*) FROM chunks c WHERE c.space = :space) AS chunks,
       (SELECT count(*) FROM signals g WHERE g.space = :space) AS signals;
