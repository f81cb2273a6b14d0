-- The conversation: summaries, scratchpads, what was written from which events, documents, consolidation.

-- One rolling summary per session. `epoch` is compared and swapped; `upto` never falls.
CREATE TABLE summaries (
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    text TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '',      -- JSON, '' when none
    at INTEGER NOT NULL,
    PRIMARY KEY (space, session),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
) WITHOUT ROWID;

CREATE TABLE scratchpads (
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    lines TEXT NOT NULL,                    -- JSON list
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (space, session),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
) WITHOUT ROWID;

-- Entries that retell events: archives and consolidated notes, with the exact range they retell.
CREATE TABLE retellings (
    space INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    session TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    path TEXT NOT NULL DEFAULT '',          -- the markdown file, '' when none
    is_filed INTEGER NOT NULL DEFAULT 1,    -- 0 until that file is in its place
    PRIMARY KEY (space, entry),
    FOREIGN KEY (space, entry) REFERENCES entries (space, id)
) WITHOUT ROWID;
CREATE INDEX retellings_session ON retellings (space, session);
CREATE INDEX retellings_unfiled ON retellings (space, entry) WHERE is_filed = 0;

-- Indexed documents. Their ids come from the entries' counter, so that chunks.entry means one thing.
CREATE TABLE documents (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id INTEGER NOT NULL,
    uri TEXT NOT NULL,
    hash BLOB NOT NULL,                     -- of the normalised text
    raw BLOB NOT NULL,                      -- of the bytes it was read from
    text TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    origin TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (space, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX documents_uri ON documents (space, uri);

-- Which events have been consolidated, and when; the log itself stays as written.
CREATE TABLE consolidations (
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (space, session, seq),
    FOREIGN KEY (space, session, seq) REFERENCES events (space, session, seq)
) WITHOUT ROWID;

-- Salient events are few: this makes finding them cheap in a long session.
CREATE INDEX events_salient ON events (space, session, seq) WHERE importance >= 0.7;

-- Tokens that chat models were paid for, by day.
CREATE TABLE spending (
    space INTEGER NOT NULL,
    model TEXT NOT NULL,
    day INTEGER NOT NULL,                   -- days since 1970
    calls INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    PRIMARY KEY (space, model, day)
) WITHOUT ROWID;
