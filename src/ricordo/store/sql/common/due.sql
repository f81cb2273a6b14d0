-- due.any: whether any space has something to do by now, and when somebody last looked; what every poll asks first
SELECT EXISTS (SELECT 1 FROM due WHERE kind = :kind AND at <= :now) AS is_any,
       (SELECT value FROM meta WHERE key = :worker) AS worker_at;

-- due.poll: spaces with something to do by now, the longest waiting first
SELECT d.space, s.name FROM due d JOIN spaces s ON s.space = d.space
 WHERE d.kind = :kind AND d.at <= :now ORDER BY d.at, d.space LIMIT :limit;

-- due.spaces: spaces in which a schedule or reminder is planned, due or not
SELECT DISTINCT d.space, s.name FROM due d JOIN spaces s ON s.space = d.space
 WHERE d.kind IN ('schedule', 'reminder') ORDER BY d.space;

-- due.after: the next time at which a space has something to do that it does not have yet
SELECT at FROM due WHERE kind = :kind AND at > :now ORDER BY at LIMIT 1;

-- due.put: a space has something to do from `at` on
INSERT INTO due (space, kind, at) VALUES (:space, :kind, :at)
    ON CONFLICT (space, kind) DO UPDATE SET at = excluded.at;

-- due.delete: a space has nothing to do
DELETE FROM due WHERE space = :space AND kind = :kind;

-- due.schedules: when the next schedule of a space may be claimed
SELECT due_at FROM schedules WHERE space = :space AND due_at IS NOT NULL ORDER BY due_at LIMIT 1;

-- due.reminders: when the next reminder of a space may be claimed
SELECT due_at FROM reminders WHERE space = :space AND due_at IS NOT NULL ORDER BY due_at LIMIT 1;

-- due.outbox: a file that has not been told is due at once
SELECT 0 FROM outbox WHERE space = :space LIMIT 1;

-- due.listed: what the table of due work says of a space
SELECT kind, at FROM due WHERE space = :space;
