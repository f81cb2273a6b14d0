-- Erasure: events that upkeep took out of the log, digests of what was erased, erasures under way.

-- What is left of an event whose time was over: enough to follow the hash chain past it.
CREATE TABLE gaps (
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    seq INTEGER NOT NULL,
    digest BLOB NOT NULL,
    link BLOB NOT NULL,
    PRIMARY KEY (space, session, seq),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
) WITHOUT ROWID;

-- Keyed digests of uids and contents that an import must not bring back.
CREATE TABLE tombstones (
    space INTEGER NOT NULL REFERENCES spaces (space),
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (space, digest)
) WITHOUT ROWID;

-- Erasures whose rows are gone and whose bytes may still stand in the file or its WAL.
CREATE TABLE erasures (
    space INTEGER NOT NULL REFERENCES spaces (space),
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    files TEXT NOT NULL,                    -- JSON list of files that go too
    PRIMARY KEY (space, id)
) WITHOUT ROWID;
