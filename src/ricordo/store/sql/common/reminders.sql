-- reminders.insert: a new reminder
INSERT INTO reminders (space, id, text, at, cue, recipient, channel, session, created_at,
       delivered_at, worker, until, fence, due_at, seal)
VALUES (:space, :id, :text, :at, :cue, :recipient, :channel, :session, :created_at,
       :delivered_at, :worker, :until, :fence, :due_at, :seal);

-- reminders.get: one reminder
SELECT id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until, fence,
       due_at
  FROM reminders WHERE space = :space AND id = :id;

-- reminders.list: pending ones by time, then those on a cue; or all, newest first
SELECT id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until, fence,
       due_at
  FROM reminders
 WHERE space = :space AND (:pending = 0 OR delivered_at IS NULL)
   AND (:recipient IS NULL OR recipient = :recipient)
 ORDER BY CASE WHEN :pending = 1 AND at IS NULL THEN 1 ELSE 0 END,
       CASE WHEN :pending = 1 THEN coalesce(at, created_at) ELSE -created_at END, id
 LIMIT :limit;

-- reminders.at: undelivered ones of a time that nobody holds
SELECT id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until, fence,
       due_at
  FROM reminders WHERE space = :space AND due_at = :at AND at = :at ORDER BY id;

-- reminders.claim: take the oldest due ones for a worker; each claim raises the fence
UPDATE reminders SET worker = :worker, fence = fence + 1, until = :until, due_at = :until
 WHERE space = :space AND id IN (
       SELECT id FROM reminders
        WHERE space = :space AND due_at IS NOT NULL AND due_at <= :now
          AND (until IS NULL OR until <= :at)
        ORDER BY due_at, id LIMIT :limit)
RETURNING id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until,
       fence, due_at;

-- reminders.deliver: it has reached its reader; only the holder of the claim can say so
UPDATE reminders SET delivered_at = :now, worker = NULL, until = NULL, due_at = NULL
 WHERE space = :space AND id = :id AND fence = :fence AND worker = :worker AND delivered_at IS NULL
RETURNING id;

-- reminders.release: give a claim back; a cue waits for its words again
UPDATE reminders SET worker = NULL, until = NULL, due_at = at
 WHERE space = :space AND id = :id AND fence = :fence AND worker = :worker AND delivered_at IS NULL
RETURNING id;

-- reminders.put_back: it did not reach its reader after all; due again, unless it was claimed since
UPDATE reminders SET delivered_at = NULL, due_at = at
 WHERE space = :space AND id = :id AND fence = :fence AND delivered_at = :delivered_at
RETURNING id;

-- reminders.cued: undelivered ones on a cue that nobody holds
SELECT id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until, fence,
       due_at
  FROM reminders
 WHERE space = :space AND cue IS NOT NULL AND delivered_at IS NULL
   AND (until IS NULL OR until <= :now)
 ORDER BY id;

-- reminders.ripe: undelivered ones whose time has come, for nobody else, that nobody holds
SELECT id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until, fence,
       due_at
  FROM reminders
 WHERE space = :space AND due_at IS NOT NULL AND due_at <= :now AND recipient IS NULL
 ORDER BY due_at, id LIMIT :limit;

-- reminders.hold: claim one by its id
UPDATE reminders SET worker = :worker, fence = fence + 1, until = :until,
       due_at = CASE WHEN at IS NULL THEN NULL ELSE :until END
 WHERE space = :space AND id = :id AND delivered_at IS NULL AND (until IS NULL OR until <= :now)
RETURNING id, text, at, cue, recipient, channel, session, created_at, delivered_at, worker, until,
       fence, due_at;

-- reminders.held_after: undelivered ones whose lease ends after the time given
SELECT id FROM reminders
 WHERE space = :space AND delivered_at IS NULL AND until IS NOT NULL AND until > :until ORDER BY id;

-- reminders.free_after: give those leases back; a cue waits for its words again
UPDATE reminders SET worker = NULL, until = NULL, due_at = at
 WHERE space = :space AND delivered_at IS NULL AND until IS NOT NULL AND until > :until
RETURNING id;

-- reminders.delete: delete a reminder
DELETE FROM reminders WHERE space = :space AND id = :id RETURNING id;
