-- Dreaming: sweeps, the promotions they made, who sweeps at the moment, what files still have to be told.
-- No text stands here: what an entry says is read from the entry, so that forgetting it is enough.

CREATE TABLE sweeps (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    candidates INTEGER NOT NULL,
    skipped INTEGER NOT NULL,               -- candidates that had been promoted before
    report TEXT NOT NULL DEFAULT '',        -- JSON: near-duplicates and contradictions, as entry numbers
    is_filed INTEGER NOT NULL,              -- whether it writes MEMORY.md and DREAMS.md
    undone_at INTEGER,
    withdrawn INTEGER NOT NULL DEFAULT 0,   -- promotions that undoing it took back
    PRIMARY KEY (space, id)
) WITHOUT ROWID;

-- The ledger: an entry stands in it once, for as long as it is promoted.
CREATE TABLE promotions (
    space INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    sweep INTEGER NOT NULL,
    phase TEXT NOT NULL,                    -- deep
    at INTEGER NOT NULL,
    score REAL NOT NULL,
    frequency REAL NOT NULL,
    relevance REAL NOT NULL,
    recency REAL NOT NULL,
    diversity REAL NOT NULL,
    consolidation REAL NOT NULL,
    hits INTEGER NOT NULL,
    queries INTEGER NOT NULL,
    days INTEGER NOT NULL,
    PRIMARY KEY (space, entry),
    FOREIGN KEY (space, sweep) REFERENCES sweeps (space, id)
) WITHOUT ROWID;
CREATE INDEX promotions_sweep ON promotions (space, sweep);

-- What has happened in the ledger and is not yet in the files, in order.
CREATE TABLE outbox (
    space INTEGER NOT NULL REFERENCES spaces (space),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,                     -- sweep, undo, withdraw or forget
    target INTEGER NOT NULL,                -- the sweep or the entry
    PRIMARY KEY (space, number)
) WITHOUT ROWID;

-- Who sweeps a space: one at a time, for as long as its lease runs.
CREATE TABLE dreamers (
    space INTEGER NOT NULL REFERENCES spaces (space),
    owner TEXT NOT NULL,                    -- '' when nobody does
    until INTEGER NOT NULL,
    PRIMARY KEY (space)
) WITHOUT ROWID;

-- Retention looks for the oldest signals.
CREATE INDEX signals_age ON signals (space, at);
