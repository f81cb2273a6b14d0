-- schedules.insert: a new schedule
INSERT INTO schedules (space, id, name, goal, kind, cadence, phrase, notify, status, source, trusted,
       missed, keep, channel, channel_context, created_at, updated_at, next_run_at, last_run_at,
       last_run_status, failures, worker, fence, claimed_at, until, due_at, seal)
VALUES (:space, :id, :name, :goal, :kind, :cadence, :phrase, :notify, :status, :source, :trusted,
       :missed, :keep, :channel, :channel_context, :created_at, :updated_at, :next_run_at,
       :last_run_at, :last_run_status, :failures, :worker, :fence, :claimed_at, :until, :due_at, :seal);

-- schedules.update: everything a patch, a run or a release may change
UPDATE schedules SET name = :name, goal = :goal, kind = :kind, cadence = :cadence, phrase = :phrase,
       notify = :notify, status = :status, trusted = :trusted, missed = :missed, keep = :keep,
       channel = :channel, channel_context = :channel_context, updated_at = :updated_at,
       next_run_at = :next_run_at, last_run_at = :last_run_at, last_run_status = :last_run_status,
       failures = :failures, worker = :worker, claimed_at = :claimed_at, until = :until,
       due_at = :due_at, seal = :seal
 WHERE space = :space AND id = :id;

-- schedules.get: one schedule
SELECT id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep, channel,
       channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status, failures,
       worker, fence, claimed_at, until, due_at
  FROM schedules WHERE space = :space AND id = :id;

-- schedules.named: the ids of schedules of a name, oldest first
SELECT id FROM schedules WHERE space = :space AND name = :name ORDER BY created_at, id;

-- schedules.due: active ones whose time has come, claimed or not, oldest first
SELECT id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep, channel,
       channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status, failures,
       worker, fence, claimed_at, until, due_at
  FROM schedules
 WHERE space = :space AND due_at IS NOT NULL AND status = 'active' AND next_run_at <= :now
 ORDER BY next_run_at, id LIMIT :limit;

-- schedules.ahead: those that cannot be claimed yet
SELECT id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep, channel,
       channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status, failures,
       worker, fence, claimed_at, until, due_at
  FROM schedules WHERE space = :space AND due_at IS NOT NULL AND due_at > :now ORDER BY due_at, id;

-- schedules.claim: take the oldest due ones for a worker; each claim raises the fence
UPDATE schedules SET worker = :worker, fence = fence + 1, claimed_at = :at, until = :until, due_at = :until
 WHERE space = :space AND id IN (
       SELECT id FROM schedules
        WHERE space = :space AND due_at IS NOT NULL AND due_at <= :now
          AND (until IS NULL OR until <= :at)
        ORDER BY due_at, id LIMIT :limit)
RETURNING id, name, goal, kind, cadence, phrase, notify, status, source, trusted, missed, keep,
       channel, channel_context, created_at, updated_at, next_run_at, last_run_at, last_run_status,
       failures, worker, fence, claimed_at, until, due_at;

-- schedules.renew: keep a claim for longer, if it still is ours
UPDATE schedules SET until = :until, due_at = CASE WHEN due_at IS NULL THEN NULL ELSE :until END
 WHERE space = :space AND id = :id AND worker = :worker AND fence = :fence
RETURNING id;

-- schedules.delete: the row itself; its runs go before it
DELETE FROM schedules WHERE space = :space AND id = :id;

-- runs.insert: one execution
INSERT INTO runs (space, id, schedule, planned_at, started_at, finished_at, status, summary, output,
       turns, cost, notified, seal)
VALUES (:space, :id, :schedule, :planned_at, :started_at, :finished_at, :status, :summary, :output,
       :turns, :cost, :notified, :seal);

-- runs.list: the newest runs of a schedule
SELECT id, schedule, planned_at, started_at, finished_at, status, summary, output, turns, cost, notified
  FROM runs WHERE space = :space AND schedule = :schedule
 ORDER BY started_at DESC, id DESC LIMIT :limit;

-- runs.recent: the newest runs of all schedules
SELECT id, schedule, planned_at, started_at, finished_at, status, summary, output, turns, cost, notified
  FROM runs WHERE space = :space ORDER BY finished_at DESC, id DESC LIMIT :limit;

-- runs.planned: whether a run of that planned time was made then or later, before the time given
SELECT 1 FROM runs
 WHERE space = :space AND schedule = :schedule AND planned_at = :planned_at
   AND started_at >= planned_at AND started_at < :before
 LIMIT 1;

-- runs.get: one run
SELECT id, schedule, planned_at, started_at, finished_at, status, summary, output, turns, cost, notified
  FROM runs WHERE space = :space AND id = :id;

-- runs.count: how many runs a schedule has
SELECT count(*) FROM runs WHERE space = :space AND schedule = :schedule;

-- runs.prune: keep only the newest runs of a schedule
DELETE FROM runs
 WHERE space = :space AND schedule = :schedule AND id NOT IN (
       SELECT id FROM runs WHERE space = :space AND schedule = :schedule
        ORDER BY started_at DESC, id DESC LIMIT :keep);

-- runs.delete_of: all runs of a schedule
DELETE FROM runs WHERE space = :space AND schedule = :schedule;
