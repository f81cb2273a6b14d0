-- Dreaming: sweeps, the promotions they made, who sweeps at the moment, what files still have to be told.
-- No text stands here: what an entry says is read from the entry, so that forgetting it is enough.

CREATE TABLE sweeps (
    space BIGINT NOT NULL REFERENCES spaces (space),
    id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    candidates BIGINT NOT NULL,
    skipped BIGINT NOT NULL,                -- candidates that had been promoted before
    report TEXT NOT NULL DEFAULT '',        -- JSON: near-duplicates and contradictions, as entry numbers
    is_filed BIGINT NOT NULL,               -- whether it writes MEMORY.md and DREAMS.md
    undone_at BIGINT,
    withdrawn BIGINT NOT NULL DEFAULT 0,    -- promotions that undoing it took back
    PRIMARY KEY (space, id)
);

-- The ledger: an entry stands in it once, for as long as it is promoted.
CREATE TABLE promotions (
    space BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    sweep BIGINT NOT NULL,
    phase TEXT NOT NULL,                    -- deep
    at BIGINT NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    frequency DOUBLE PRECISION NOT NULL,
    relevance DOUBLE PRECISION NOT NULL,
    recency DOUBLE PRECISION NOT NULL,
    diversity DOUBLE PRECISION NOT NULL,
    consolidation DOUBLE PRECISION NOT NULL,
    hits BIGINT NOT NULL,
    queries BIGINT NOT NULL,
    days BIGINT NOT NULL,
    PRIMARY KEY (space, entry),
    FOREIGN KEY (space, sweep) REFERENCES sweeps (space, id)
);
CREATE INDEX promotions_sweep ON promotions (space, sweep);

-- What has happened in the ledger and is not yet in the files, in order.
CREATE TABLE outbox (
    space BIGINT NOT NULL REFERENCES spaces (space),
    number BIGINT NOT NULL,
    kind TEXT NOT NULL,                     -- sweep, undo, withdraw or forget
    target BIGINT NOT NULL,                 -- the sweep or the entry
    PRIMARY KEY (space, number)
);

-- Who sweeps a space: one at a time, for as long as its lease runs.
CREATE TABLE dreamers (
    space BIGINT NOT NULL REFERENCES spaces (space),
    owner TEXT NOT NULL,                    -- '' when nobody does
    until BIGINT NOT NULL,
    PRIMARY KEY (space)
);

-- Retention looks for the oldest signals.
CREATE INDEX signals_age ON signals (space, at);
