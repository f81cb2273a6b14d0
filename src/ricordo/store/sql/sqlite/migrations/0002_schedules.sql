-- Time: schedules with their runs, reminders, and when each space has something to do.

CREATE TABLE schedules (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    goal TEXT NOT NULL,
    kind TEXT NOT NULL,                     -- once, every or cron
    cadence TEXT NOT NULL,                  -- JSON
    phrase TEXT NOT NULL,                   -- the cadence as it was asked for
    notify TEXT NOT NULL,                   -- always, conditional or never
    status TEXT NOT NULL,                   -- active, paused, completed or disabled
    source TEXT NOT NULL,                   -- tool, or config when a file declares it
    trusted INTEGER NOT NULL,
    missed TEXT NOT NULL,                   -- once or skip
    keep INTEGER NOT NULL,
    channel TEXT,
    channel_context TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    next_run_at INTEGER,
    last_run_at INTEGER,
    last_run_status TEXT,
    failures INTEGER NOT NULL DEFAULT 0,    -- in a row
    worker TEXT,                            -- who holds the claim
    fence INTEGER NOT NULL DEFAULT 0,       -- rises with every claim
    claimed_at INTEGER,
    until INTEGER,                          -- the end of its lease
    due_at INTEGER,                         -- when it may be claimed: next run, or end of the lease
    PRIMARY KEY (space, id)
) WITHOUT ROWID;
CREATE INDEX schedules_due ON schedules (space, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX schedules_recent ON schedules (space, created_at, id);
CREATE INDEX schedules_name ON schedules (space, name);

CREATE TABLE runs (
    space INTEGER NOT NULL,
    id TEXT NOT NULL,
    schedule TEXT NOT NULL,
    planned_at INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    summary TEXT NOT NULL,
    output TEXT NOT NULL,
    turns INTEGER NOT NULL,
    cost REAL NOT NULL,
    notified INTEGER NOT NULL,
    PRIMARY KEY (space, id),
    FOREIGN KEY (space, schedule) REFERENCES schedules (space, id)
) WITHOUT ROWID;
CREATE INDEX runs_of ON runs (space, schedule, started_at, id);

CREATE TABLE reminders (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER,                             -- when, or
    cue TEXT,                               -- on which words
    recipient TEXT,
    channel TEXT,
    session TEXT,
    created_at INTEGER NOT NULL,
    delivered_at INTEGER,
    worker TEXT,                            -- who holds the claim
    until INTEGER,
    fence INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,                         -- when it may be claimed: `at`, or end of the lease
    PRIMARY KEY (space, id)
) WITHOUT ROWID;
CREATE INDEX reminders_due ON reminders (space, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX reminders_cue ON reminders (space, id) WHERE cue IS NOT NULL AND delivered_at IS NULL;
CREATE INDEX reminders_recent ON reminders (space, created_at, id);

-- When each space has something to do next. It says nothing of what: a poll reads this table
-- alone, by time, and goes into the spaces that it names. Hence its one index without a space.
CREATE TABLE due (
    space INTEGER NOT NULL REFERENCES spaces (space),
    kind TEXT NOT NULL,                     -- schedule or reminder
    at INTEGER NOT NULL,
    PRIMARY KEY (space, kind)
) WITHOUT ROWID;
CREATE INDEX due_at ON due (kind, at, space);
