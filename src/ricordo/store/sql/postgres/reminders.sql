-- reminders.claim: take the oldest due ones for a worker; each claim raises the fence, which decides
UPDATE reminders SET worker = :worker, fence = fence + 1, until = :until, due_at = :until
 WHERE space = :space AND id = ANY (ARRAY(
       SELECT id FROM reminders
        WHERE space = :space AND due_at IS NOT NULL AND due_at <= :now
          AND (until IS NULL OR until <= :at)
        ORDER BY due_at, id LIMIT :limit FOR UPDATE SKIP LOCKED))
RETURNING id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until,
       fence, due_at;
