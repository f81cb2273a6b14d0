-- approvals.put: the last answer about a prefix is the one that holds
INSERT INTO approvals (space, words, allow, created_at, seal)
VALUES (:space, :words, :allow, :created_at, :seal)
    ON CONFLICT (space, words) DO UPDATE SET created_at = CASE WHEN approvals.allow = :allow
       THEN approvals.created_at ELSE :created_at END, allow = :allow,
       seal = CASE WHEN approvals.allow = :allow THEN approvals.seal ELSE excluded.seal END
    RETURNING created_at;

-- approvals.list: every answer that is kept, the oldest first
SELECT words, allow, created_at FROM approvals WHERE space = :space ORDER BY created_at, words;

-- approvals.delete: delete an answer
DELETE FROM approvals WHERE space = :space AND words = :words RETURNING words;
