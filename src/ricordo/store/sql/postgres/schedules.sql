-- schedules.list: newest first, filtered; `passed` holds the ids whose name has the part asked for
SELECT id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep, channel,
       channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status, failures,
       worker, fence, claimed_at, until, due_at
  FROM schedules
 WHERE space = :space
   AND (:name IS NULL OR id IN (SELECT jsonb_array_elements_text(:passed::jsonb)))
   AND (:status IS NULL OR status = :status)
   AND (:kind IS NULL OR kind = :kind)
   AND (:notify IS NULL OR notify = :notify)
   AND (:source IS NULL OR source = :source)
 ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :skip;

-- schedules.count: how many the same filters find
SELECT count(*) FROM schedules
 WHERE space = :space
   AND (:name IS NULL OR id IN (SELECT jsonb_array_elements_text(:passed::jsonb)))
   AND (:status IS NULL OR status = :status)
   AND (:kind IS NULL OR kind = :kind)
   AND (:notify IS NULL OR notify = :notify)
   AND (:source IS NULL OR source = :source);

-- schedules.claim: take the oldest due ones for a worker; each claim raises the fence, which decides
UPDATE schedules SET worker = :worker, fence = fence + 1, claimed_at = :at, until = :until, due_at = :until
 WHERE space = :space AND id = ANY (ARRAY(
       SELECT id FROM schedules
        WHERE space = :space AND due_at IS NOT NULL AND due_at <= :now
          AND (until IS NULL OR until <= :at)
        ORDER BY due_at, id LIMIT :limit FOR UPDATE SKIP LOCKED))
RETURNING id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep,
       channel, channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status,
       failures, worker, fence, claimed_at, until, due_at;
