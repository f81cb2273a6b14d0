-- Macros: which tool calls follow which. Approvals: which commands need no question.

CREATE TABLE successions (
    space BIGINT NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,                       -- digest of the four columns that follow
    trigger_tool TEXT NOT NULL,
    trigger_args TEXT,                      -- JSON, secrets left out; NULL: any arguments
    next_tool TEXT NOT NULL,
    next_args TEXT,
    times BIGINT NOT NULL,                 -- how often it was seen
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,            -- when it was last seen
    PRIMARY KEY (space, id)
);
CREATE INDEX successions_tool ON successions (space, trigger_tool, updated_at, id);

-- What became of the macros that are worked out of the successions.
CREATE TABLE macros (
    space BIGINT NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,
    trigger_tool TEXT NOT NULL,
    trigger_pattern TEXT,
    next_tool TEXT NOT NULL,
    next_pattern TEXT,
    used_count BIGINT NOT NULL DEFAULT 0,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (space, id)
);

-- How far a session was learnt from. Its name is not kept, only a digest of it.
CREATE TABLE lessons (
    space BIGINT NOT NULL REFERENCES spaces (space),
    session TEXT NOT NULL,
    upto BIGINT NOT NULL,
    PRIMARY KEY (space, session)
);

CREATE TABLE approvals (
    space BIGINT NOT NULL REFERENCES spaces (space),
    words TEXT NOT NULL,                    -- JSON array
    allow BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (space, words)
);
