-- schedules.list: newest first, filtered; the name is any literal part of it
SELECT id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep, channel,
       channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status, failures,
       worker, fence, claimed_at, until, due_at
  FROM schedules
 WHERE space = :space
   AND (:name IS NULL OR instr(folded(name), folded(:name)) > 0)
   AND (:status IS NULL OR status = :status)
   AND (:kind IS NULL OR kind = :kind)
   AND (:notify IS NULL OR notify = :notify)
   AND (:source IS NULL OR source = :source)
 ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip;

-- schedules.count: how many the same filters find
SELECT count(*) FROM schedules
 WHERE space = :space
   AND (:name IS NULL OR instr(folded(name), folded(:name)) > 0)
   AND (:status IS NULL OR status = :status)
   AND (:kind IS NULL OR kind = :kind)
   AND (:notify IS NULL OR notify = :notify)
   AND (:source IS NULL OR source = :source);
