-- Erasure: events that upkeep took out of the log, digests of what was erased, erasures under way.

-- What is left of an event whose time was over: enough to follow the hash chain past it.
CREATE TABLE gaps (
    space BIGINT NOT NULL,
    session TEXT NOT NULL,
    seq BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    link BYTEA NOT NULL,
    PRIMARY KEY (space, session, seq),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
);

-- Keyed digests of uids and contents that an import must not bring back.
CREATE TABLE tombstones (
    space BIGINT NOT NULL REFERENCES spaces (space),
    digest BYTEA NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (space, digest)
);

-- Erasures whose rows are gone and whose bytes may still stand in the file or its WAL.
CREATE TABLE erasures (
    space BIGINT NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    files TEXT NOT NULL,                    -- JSON list of files that go too
    PRIMARY KEY (space, id)
);
