-- The foundation: spaces, sessions, events, entries, chunks, words, embeddings, signals.
-- Times are integer microseconds UTC. `space` comes first in every key.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- One row per space: its number, its counters, its statistics for ranking.
CREATE TABLE spaces (
    space INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    secret BLOB NOT NULL,                   -- keys the digests of the hash chain
    created_at INTEGER NOT NULL,
    next_entry INTEGER NOT NULL DEFAULT 1,
    next_chunk INTEGER NOT NULL DEFAULT 1,
    next_signal INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 0,    -- rises whenever chunks or embeddings change
    pruned INTEGER NOT NULL DEFAULT 0,      -- the revision of the last removal
    documents INTEGER NOT NULL DEFAULT 0,   -- chunks, and the words in them: BM25 statistics
    tokens INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE sessions (
    space INTEGER NOT NULL REFERENCES spaces (space),
    session TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_seq INTEGER NOT NULL DEFAULT -1,
    events INTEGER NOT NULL DEFAULT 0,
    head BLOB NOT NULL,                     -- the last link of the hash chain
    PRIMARY KEY (space, session)
) WITHOUT ROWID;

CREATE TABLE events (
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    seq INTEGER NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT,                           -- plain text; parts live in body
    body TEXT NOT NULL DEFAULT '',          -- JSON of parts, name, tool calls, metadata; '' when none
    importance REAL NOT NULL,
    origin TEXT NOT NULL,
    at INTEGER NOT NULL,
    digest BLOB NOT NULL,                   -- keyed digest of the payload
    link BLOB NOT NULL,                     -- digest of the link before, seq and digest
    PRIMARY KEY (space, session, seq),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
) WITHOUT ROWID;

CREATE TABLE entries (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id INTEGER NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    concept_tags TEXT NOT NULL DEFAULT '[]',
    origin TEXT NOT NULL,
    source TEXT NOT NULL,
    importance REAL NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER,
    since INTEGER NOT NULL,                 -- when the present revision began
    PRIMARY KEY (space, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entries_uid ON entries (space, uid);
CREATE INDEX entries_recent ON entries (space, updated_at, id);

-- Names and aliases share one namespace; exactly one name of an entry is canonical.
CREATE TABLE names (
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    entry INTEGER NOT NULL,
    canonical INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (space, name),
    FOREIGN KEY (space, entry) REFERENCES entries (space, id)
) WITHOUT ROWID;
CREATE INDEX names_entry ON names (space, entry);

CREATE TABLE past_names (
    space INTEGER NOT NULL,
    name TEXT NOT NULL,
    entry INTEGER NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (space, name, entry, since, until)
) WITHOUT ROWID;
CREATE INDEX past_names_entry ON past_names (space, entry);

CREATE TABLE entry_tags (
    space INTEGER NOT NULL,
    tag TEXT NOT NULL,
    entry INTEGER NOT NULL,
    PRIMARY KEY (space, tag, entry)
) WITHOUT ROWID;
CREATE INDEX entry_tags_entry ON entry_tags (space, entry);

CREATE TABLE revisions (
    space INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    tags TEXT NOT NULL,
    concept_tags TEXT NOT NULL,
    origin TEXT NOT NULL,
    source TEXT NOT NULL,
    importance REAL NOT NULL,
    metadata TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (space, entry, number),
    FOREIGN KEY (space, entry) REFERENCES entries (space, id)
) WITHOUT ROWID;

-- The spans that are indexed. `row` ties a chunk to its row of `words`, which FTS5 knows by number only.
CREATE TABLE chunks (
    row INTEGER PRIMARY KEY,
    space INTEGER NOT NULL REFERENCES spaces (space),
    chunk INTEGER NOT NULL,
    kind TEXT NOT NULL,                     -- message, note, fact, archive or file
    session TEXT,
    seq_start INTEGER,
    seq_end INTEGER,
    entry INTEGER,
    part INTEGER NOT NULL,                  -- which chunk of its message or entry this is
    role TEXT NOT NULL,
    author TEXT NOT NULL,                   -- the speaker's name, an entry's title, or ''
    origin TEXT NOT NULL,
    at INTEGER NOT NULL,
    expires_at INTEGER,
    hash BLOB NOT NULL,
    text TEXT NOT NULL,
    length INTEGER NOT NULL,                -- characters of the whole message or entry
    words INTEGER NOT NULL,                 -- stems in `terms`
    marks INTEGER NOT NULL,
    calls TEXT NOT NULL,
    terms BLOB NOT NULL,                    -- stems of the text as 32-bit numbers, in order
    extra BLOB NOT NULL                     -- stems of date, speaker or tags, likewise
);
CREATE UNIQUE INDEX chunks_key ON chunks (space, chunk);
CREATE INDEX chunks_session ON chunks (space, session, hash) WHERE session IS NOT NULL;
CREATE INDEX chunks_entry ON chunks (space, entry) WHERE entry IS NOT NULL;
CREATE INDEX chunks_expiry ON chunks (space, expires_at) WHERE expires_at IS NOT NULL;

-- Tokens are SPACE_STEM in hexadecimal, so every posting list belongs to one space.
CREATE VIRTUAL TABLE words USING fts5 (
    terms, extra, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, col);

CREATE TABLE models (
    model INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    dim INTEGER NOT NULL
);

CREATE TABLE embeddings (
    space INTEGER NOT NULL,
    model INTEGER NOT NULL REFERENCES models (model),
    chunk INTEGER NOT NULL,
    vector BLOB NOT NULL,                   -- little-endian f16
    PRIMARY KEY (space, model, chunk)
);

-- Chunks past `upto` wait for their vector; so does every failure whose next try is due.
CREATE TABLE coverage (
    space INTEGER NOT NULL,
    model INTEGER NOT NULL REFERENCES models (model),
    upto INTEGER NOT NULL,
    PRIMARY KEY (space, model)
) WITHOUT ROWID;

CREATE TABLE failures (
    space INTEGER NOT NULL,
    model INTEGER NOT NULL REFERENCES models (model),
    chunk INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_try INTEGER NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (space, model, chunk)
) WITHOUT ROWID;

CREATE TABLE signals (
    space INTEGER NOT NULL,
    signal INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    query TEXT NOT NULL,
    score REAL NOT NULL,
    asker TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (space, signal)
) WITHOUT ROWID;
CREATE INDEX signals_entry ON signals (space, entry, at);
