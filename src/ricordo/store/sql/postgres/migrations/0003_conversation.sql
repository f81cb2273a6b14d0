-- The conversation: summaries, scratchpads, what was written from which events, documents, consolidation.

-- One rolling summary per session. `epoch` is compared and swapped; `upto` never falls.
CREATE TABLE summaries (
    space BIGINT NOT NULL,
    session TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    upto BIGINT NOT NULL,
    text TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '',      -- JSON, '' when none
    at BIGINT NOT NULL,
    PRIMARY KEY (space, session),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
);

CREATE TABLE scratchpads (
    space BIGINT NOT NULL,
    session TEXT NOT NULL,
    lines TEXT NOT NULL,                    -- JSON list
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (space, session),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
);

-- Entries that retell events: archives and consolidated notes, with the exact range they retell.
CREATE TABLE retellings (
    space BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    session TEXT NOT NULL,
    first_seq BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    path TEXT NOT NULL DEFAULT '',          -- the markdown file, '' when none
    is_filed BIGINT NOT NULL DEFAULT 1,    -- 0 until that file is in its place
    PRIMARY KEY (space, entry),
    FOREIGN KEY (space, entry) REFERENCES entries (space, id)
);
CREATE INDEX retellings_session ON retellings (space, session);
CREATE INDEX retellings_unfiled ON retellings (space, entry) WHERE is_filed = 0;

-- Indexed documents. Their ids come from the entries' counter, so that chunks.entry means one thing.
CREATE TABLE documents (
    space BIGINT NOT NULL REFERENCES spaces (space),
    id BIGINT NOT NULL,
    uri TEXT NOT NULL,
    hash BYTEA NOT NULL,                     -- of the normalised text
    raw BYTEA NOT NULL,                      -- of the bytes it was read from
    text TEXT NOT NULL,
    chunks BIGINT NOT NULL,
    origin TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE UNIQUE INDEX documents_uri ON documents (space, uri);

-- Which events have been consolidated, and when; the log itself stays as written.
CREATE TABLE consolidations (
    space BIGINT NOT NULL,
    session TEXT NOT NULL,
    seq BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (space, session, seq),
    FOREIGN KEY (space, session, seq) REFERENCES events (space, session, seq)
);

-- Salient events are few: this makes finding them cheap in a long session.
CREATE INDEX events_salient ON events (space, session, seq) WHERE importance >= 0.7;

-- Tokens that chat models were paid for, by day.
CREATE TABLE spending (
    space BIGINT NOT NULL,
    model TEXT NOT NULL,
    day BIGINT NOT NULL,                   -- days since 1970
    calls BIGINT NOT NULL,
    tokens_in BIGINT NOT NULL,
    tokens_out BIGINT NOT NULL,
    PRIMARY KEY (space, model, day)
);
