-- folding.chunks: what a literal search looks at; the comparison itself is ours, as on every backend
SELECT chunk, text, author FROM chunks WHERE space = :space;

-- folding.schedules: the names a filter looks at
SELECT id, name FROM schedules WHERE space = :space;

-- schedules.list: newest first, filtered; `passed` holds the ids whose name has the part asked for
SELECT id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep, channel,
       channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status, failures,
       worker, fence, claimed_at, until, due_at
  FROM schedules
 WHERE space = :space
   AND (:name IS NULL OR id IN (SELECT value FROM json_each(:passed)))
   AND (:status IS NULL OR status = :status)
   AND (:kind IS NULL OR kind = :kind)
   AND (:notify IS NULL OR notify = :notify)
   AND (:source IS NULL OR source = :source)
 ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip;

-- schedules.count: how many the same filters find
SELECT count(*) FROM schedules
 WHERE space = :space
   AND (:name IS NULL OR id IN (SELECT value FROM json_each(:passed)))
   AND (:status IS NULL OR status = :status)
   AND (:kind IS NULL OR kind = :kind)
   AND (:notify IS NULL OR notify = :notify)
   AND (:source IS NULL OR source = :source);

-- words.substring: messages and entries whose chunk has passed, newest first; their first such chunk
SELECT min(c.chunk) FROM chunks c
 WHERE c.space = :space
   AND c.chunk IN (SELECT value FROM json_each(:passed))
   AND (:allowed IS NULL OR c.chunk IN (SELECT value FROM json_each(:allowed)))
 GROUP BY c.session, c.seq_start, c.entry
 ORDER BY max(c.at) DESC, min(c.chunk) DESC LIMIT :limit;
