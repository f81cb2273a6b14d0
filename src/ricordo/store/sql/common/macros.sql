-- successions.add: a call was followed by another, once more or for the first time
INSERT INTO successions (space, id, trigger_tool, trigger_args, next_tool, next_args, times, created_at,
                         updated_at, seal)
VALUES (:space, :id, :trigger_tool, :trigger_args, :next_tool, :next_args, :times, :created_at,
        :updated_at, :seal)
    ON CONFLICT (space, id) DO UPDATE SET times = successions.times + excluded.times,
       updated_at = CASE WHEN excluded.updated_at > successions.updated_at
                         THEN excluded.updated_at ELSE successions.updated_at END;

-- successions.after: what was seen to follow a tool, the latest first
SELECT id, trigger_tool, trigger_args, next_tool, next_args, times, created_at, updated_at FROM successions
 WHERE space = :space AND trigger_tool = :tool ORDER BY updated_at DESC, id;

-- successions.tools: the tools that something was seen to follow
SELECT DISTINCT trigger_tool FROM successions WHERE space = :space ORDER BY trigger_tool;

-- successions.delete: forget that one call was followed by another
DELETE FROM successions WHERE space = :space AND id = :id RETURNING id;

-- macros.list: which macros were used, and how often
SELECT id, trigger_tool, trigger_pattern, next_tool, next_pattern, used_count, used_at FROM macros
 WHERE space = :space ORDER BY id;

-- macros.use: a macro was used, once more or for the first time
INSERT INTO macros (space, id, trigger_tool, trigger_pattern, next_tool, next_pattern, used_count, used_at, seal)
VALUES (:space, :id, :trigger_tool, :trigger_pattern, :next_tool, :next_pattern, :used_count, :used_at, :seal)
    ON CONFLICT (space, id) DO UPDATE SET used_count = macros.used_count + excluded.used_count,
       used_at = excluded.used_at;

-- macros.delete: forget that a macro was used
DELETE FROM macros WHERE space = :space AND id = :id RETURNING id;

-- lessons.upto: how far a session was learnt from
SELECT upto FROM lessons WHERE space = :space AND session = :session;

-- lessons.put: a session was learnt from
INSERT INTO lessons (space, session, upto) VALUES (:space, :session, :upto)
    ON CONFLICT (space, session) DO UPDATE SET upto = :upto;
