-- Records: values under a path and a key. Their numbers are drawn with those of entries and documents, so that their
-- chunks and the values that `where` finds stand in the same tables.
CREATE TABLE records (
    space INTEGER NOT NULL REFERENCES spaces (space),
    path TEXT NOT NULL,                     -- each name followed by a unit separator; '' is the top
    key TEXT NOT NULL,
    id INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER,
    ttl INTEGER,                            -- microseconds that a touch adds
    origin TEXT NOT NULL,
    texts TEXT NOT NULL DEFAULT '[]',       -- what is indexed
    metadata TEXT NOT NULL DEFAULT '',      -- '' where `where` is about the value
    value TEXT,                             -- JSON; NULL where there are bytes
    bytes BLOB,
    seal BLOB,
    PRIMARY KEY (space, path, key)
);
CREATE UNIQUE INDEX records_id ON records (space, id);
CREATE INDEX records_recent ON records (space, path, updated_at, id, expires_at);
CREATE INDEX records_expiry ON records (space, expires_at) WHERE expires_at IS NOT NULL;

-- What records said before, of those for which that is kept.
CREATE TABLE record_revisions (
    space INTEGER NOT NULL,
    record INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    origin TEXT NOT NULL,
    texts TEXT NOT NULL,
    metadata TEXT NOT NULL,
    value TEXT,
    bytes BLOB,
    seal BLOB,
    PRIMARY KEY (space, record, revision)
);

-- For SQLite alone: libSQL's server refuses ANALYZE, and the driver leaves out what follows.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('records', 'sqlite_autoindex_records_1', '1000000 100000 1000 1'),
    ('records', 'records_id', '1000000 100000 1'),
    ('records', 'records_recent', '1000000 100000 1000 1 1 1'),
    ('records', 'records_expiry', '100000 10000 1'),
    ('record_revisions', 'sqlite_autoindex_record_revisions_1', '1000000 100000 10 1');
ANALYZE sqlite_schema;
