-- The foundation: spaces, sessions, events, entries, chunks, words, embeddings, signals.
-- Times are integer microseconds UTC. `space` comes first in every key.

-- Every whole number is a BIGINT to the driver; PostgreSQL's own function takes smaller ones only.
CREATE FUNCTION substr(TEXT, BIGINT, BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN substr($1, $2::INTEGER, $3::INTEGER);

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- One row per space: its number, its counters, its statistics for ranking.
CREATE TABLE spaces (
    space BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    secret BYTEA NOT NULL,                   -- keys the digests of the hash chain
    created_at BIGINT NOT NULL,
    next_entry BIGINT NOT NULL DEFAULT 1,
    next_chunk BIGINT NOT NULL DEFAULT 1,
    next_signal BIGINT NOT NULL DEFAULT 1,
    revision BIGINT NOT NULL DEFAULT 0,    -- rises whenever chunks or embeddings change
    pruned BIGINT NOT NULL DEFAULT 0,      -- the revision of the last removal
    documents BIGINT NOT NULL DEFAULT 0,   -- chunks, and the words in them: BM25 statistics
    tokens BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE sessions (
    space BIGINT NOT NULL REFERENCES spaces (space),
    session TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    last_seq BIGINT NOT NULL DEFAULT -1,
    events BIGINT NOT NULL DEFAULT 0,
    head BYTEA NOT NULL,                     -- the last link of the hash chain
    PRIMARY KEY (space, session)
);

CREATE TABLE events (
    space BIGINT NOT NULL,
    session TEXT NOT NULL,
    seq BIGINT NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT,                           -- plain text; parts live in body
    body TEXT NOT NULL DEFAULT '',          -- JSON of parts, name, tool calls, metadata; '' when none
    importance DOUBLE PRECISION NOT NULL,
    origin TEXT NOT NULL,
    at BIGINT NOT NULL,
    digest BYTEA NOT NULL,                   -- keyed digest of the payload
    link BYTEA NOT NULL,                     -- digest of the link before, seq and digest
    PRIMARY KEY (space, session, seq),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
);

CREATE TABLE entries (
    space BIGINT NOT NULL REFERENCES spaces (space),
    id BIGINT NOT NULL,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    concept_tags TEXT NOT NULL DEFAULT '[]',
    origin TEXT NOT NULL,
    source TEXT NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    since BIGINT NOT NULL,                 -- when the present revision began
    PRIMARY KEY (space, id)
);
CREATE UNIQUE INDEX entries_uid ON entries (space, uid);
CREATE INDEX entries_recent ON entries (space, updated_at, id);

-- Names and aliases share one namespace; exactly one name of an entry is canonical.
CREATE TABLE names (
    space BIGINT NOT NULL,
    name TEXT NOT NULL,
    entry BIGINT NOT NULL,
    canonical BIGINT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (space, name),
    FOREIGN KEY (space, entry) REFERENCES entries (space, id)
);
CREATE INDEX names_entry ON names (space, entry);

CREATE TABLE past_names (
    space BIGINT NOT NULL,
    name TEXT NOT NULL,
    entry BIGINT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (space, name, entry, since, until)
);
CREATE INDEX past_names_entry ON past_names (space, entry);

CREATE TABLE entry_tags (
    space BIGINT NOT NULL,
    tag TEXT NOT NULL,
    entry BIGINT NOT NULL,
    PRIMARY KEY (space, tag, entry)
);
CREATE INDEX entry_tags_entry ON entry_tags (space, entry);

CREATE TABLE revisions (
    space BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    number BIGINT NOT NULL,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    content TEXT NOT NULL,
    tags TEXT NOT NULL,
    concept_tags TEXT NOT NULL,
    origin TEXT NOT NULL,
    source TEXT NOT NULL,
    importance DOUBLE PRECISION NOT NULL,
    metadata TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (space, entry, number),
    FOREIGN KEY (space, entry) REFERENCES entries (space, id)
);

-- The spans that are indexed. `row` is the number of the space and of the chunk in one: 2^32 chunks a space.
CREATE TABLE chunks (
    space BIGINT NOT NULL REFERENCES spaces (space),
    chunk BIGINT NOT NULL,
    row BIGINT NOT NULL,
    kind TEXT NOT NULL,                     -- message, note, fact, archive or file
    session TEXT,
    seq_start BIGINT,
    seq_end BIGINT,
    entry BIGINT,
    part BIGINT NOT NULL,                  -- which chunk of its message or entry this is
    role TEXT NOT NULL,
    author TEXT NOT NULL,                   -- the speaker's name, an entry's title, or ''
    origin TEXT NOT NULL,
    at BIGINT NOT NULL,
    expires_at BIGINT,
    hash BYTEA NOT NULL,
    text TEXT NOT NULL,
    length BIGINT NOT NULL,                -- characters of the whole message or entry
    words BIGINT NOT NULL,                 -- stems in `terms`
    marks BIGINT NOT NULL,
    calls TEXT NOT NULL,
    terms BYTEA NOT NULL,                    -- stems of the text as 32-bit numbers, in order
    extra BYTEA NOT NULL,                   -- stems of date, speaker or tags, likewise
    PRIMARY KEY (space, chunk)
);
CREATE INDEX chunks_session ON chunks (space, session, hash) WHERE session IS NOT NULL;
CREATE INDEX chunks_entry ON chunks (space, entry) WHERE entry IS NOT NULL;
CREATE INDEX chunks_expiry ON chunks (space, expires_at) WHERE expires_at IS NOT NULL;

-- The keyword index: one row per chunk and stem. A chunk without any stem has one row of no field,
-- so that the index knows every chunk. B-trees only: it works wherever PostgreSQL's SQL is spoken.
CREATE TABLE words (
    space BIGINT NOT NULL,
    term INTEGER NOT NULL,                  -- the number of the stem, read as a signed one
    chunk BIGINT NOT NULL,
    field SMALLINT NOT NULL,                -- 1 in the text, 2 in what surrounds it, 3 in both
    PRIMARY KEY (space, term, chunk)
);
CREATE INDEX words_chunk ON words (space, chunk);

CREATE TABLE models (
    model BIGINT PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    dim BIGINT NOT NULL
);

CREATE TABLE embeddings (
    space BIGINT NOT NULL,
    model BIGINT NOT NULL REFERENCES models (model),
    chunk BIGINT NOT NULL,
    vector BYTEA NOT NULL,                   -- little-endian f16
    PRIMARY KEY (space, model, chunk)
);

-- Chunks past `upto` wait for their vector; so does every failure whose next try is due.
CREATE TABLE coverage (
    space BIGINT NOT NULL,
    model BIGINT NOT NULL REFERENCES models (model),
    upto BIGINT NOT NULL,
    PRIMARY KEY (space, model)
);

CREATE TABLE failures (
    space BIGINT NOT NULL,
    model BIGINT NOT NULL REFERENCES models (model),
    chunk BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    next_try BIGINT NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (space, model, chunk)
);

CREATE TABLE signals (
    space BIGINT NOT NULL,
    signal BIGINT NOT NULL,
    entry BIGINT NOT NULL,
    query TEXT NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    asker TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (space, signal)
);
CREATE INDEX signals_entry ON signals (space, entry, at);
