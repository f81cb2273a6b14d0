-- Records: values under a path and a key. Their numbers are drawn with those of entries and documents, so that their
-- chunks and the values that `where` finds stand in the same tables.
CREATE TABLE records (
    space BIGINT NOT NULL REFERENCES spaces (space),
    path TEXT NOT NULL,                     -- each name followed by a unit separator; '' is the top
    key TEXT NOT NULL,
    id BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    ttl BIGINT,                            -- microseconds that a touch adds
    origin TEXT NOT NULL,
    texts TEXT NOT NULL DEFAULT '[]',       -- what is indexed
    metadata TEXT NOT NULL DEFAULT '',      -- '' where `where` is about the value
    value TEXT,                             -- JSON; NULL where there are bytes
    bytes BYTEA,
    seal BYTEA,
    PRIMARY KEY (space, path, key)
);
CREATE UNIQUE INDEX records_id ON records (space, id);
CREATE INDEX records_recent ON records (space, path, updated_at, id, expires_at);
CREATE INDEX records_expiry ON records (space, expires_at) WHERE expires_at IS NOT NULL;

-- What records said before, of those for which that is kept.
CREATE TABLE record_revisions (
    space BIGINT NOT NULL,
    record BIGINT NOT NULL,
    revision BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    until BIGINT NOT NULL,
    origin TEXT NOT NULL,
    texts TEXT NOT NULL,
    metadata TEXT NOT NULL,
    value TEXT,
    bytes BYTEA,
    seal BYTEA,
    PRIMARY KEY (space, record, revision)
);
