-- Macros: which tool calls follow which. Approvals: which commands need no question.

CREATE TABLE successions (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,                       -- digest of the four columns that follow
    trigger_tool TEXT NOT NULL,
    trigger_args TEXT,                      -- JSON, secrets left out; NULL: any arguments
    next_tool TEXT NOT NULL,
    next_args TEXT,
    times INTEGER NOT NULL,                 -- how often it was seen
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,            -- when it was last seen
    PRIMARY KEY (space, id)
) WITHOUT ROWID;
CREATE INDEX successions_tool ON successions (space, trigger_tool, updated_at, id);

-- What became of the macros that are worked out of the successions.
CREATE TABLE macros (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,
    trigger_tool TEXT NOT NULL,
    trigger_pattern TEXT,
    next_tool TEXT NOT NULL,
    next_pattern TEXT,
    used_count INTEGER NOT NULL DEFAULT 0,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (space, id)
) WITHOUT ROWID;

-- How far a session was learnt from. Its name is not kept, only a digest of it.
CREATE TABLE lessons (
    space INTEGER NOT NULL REFERENCES spaces (space),
    session TEXT NOT NULL,
    upto INTEGER NOT NULL,
    PRIMARY KEY (space, session)
) WITHOUT ROWID;

CREATE TABLE approvals (
    space INTEGER NOT NULL REFERENCES spaces (space),
    words TEXT NOT NULL,                    -- JSON array
    allow INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (space, words)
) WITHOUT ROWID;
