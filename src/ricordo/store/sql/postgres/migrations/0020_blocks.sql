-- Blocks: chunks packed as ranking needs them, so that a process that meets a space need not read it row by row.
-- Derived from chunks and embeddings; where a range of chunks is in no block, its rows are read.
CREATE TABLE blocks (
    space BIGINT NOT NULL REFERENCES spaces (space),
    block BIGINT NOT NULL,                 -- the revision in which it was made: no other block had the number
    first BIGINT NOT NULL,                 -- all chunks from here
    last BIGINT NOT NULL,                  -- to there
    size BIGINT NOT NULL,                  -- how many that are
    buckets BIGINT NOT NULL,               -- in how many parts its words are kept
    data BYTEA NOT NULL,
    PRIMARY KEY (space, first)
);

-- Which rows hold a word. A place is the number of the block times 256, and the bucket.
CREATE TABLE block_words (
    space BIGINT NOT NULL,
    place BIGINT NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (space, place)
);

-- The signs of the vectors of one model.
CREATE TABLE block_signs (
    space BIGINT NOT NULL,
    block BIGINT NOT NULL,
    model BIGINT NOT NULL REFERENCES models (model),
    data BYTEA NOT NULL,
    PRIMARY KEY (space, block, model)
);
-- They do not compress, and are read whole.
ALTER TABLE blocks ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE block_words ALTER COLUMN data SET STORAGE EXTERNAL;
ALTER TABLE block_signs ALTER COLUMN data SET STORAGE EXTERNAL;
INSERT INTO pending (space, model, at) SELECT space, -1, 0 FROM spaces WHERE next_chunk > 1024;
