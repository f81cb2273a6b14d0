-- Blocks: chunks packed as ranking needs them, so that a process that meets a space need not read it row by row.
-- Derived from chunks and embeddings; where a range of chunks is in no block, its rows are read.
CREATE TABLE blocks (
    space INTEGER NOT NULL REFERENCES spaces (space),
    block INTEGER NOT NULL,                 -- the revision in which it was made: no other block had the number
    first INTEGER NOT NULL,                 -- all chunks from here
    last INTEGER NOT NULL,                  -- to there
    size INTEGER NOT NULL,                  -- how many that are
    buckets INTEGER NOT NULL,               -- in how many parts its words are kept
    data BLOB NOT NULL,
    PRIMARY KEY (space, first)
);

-- Which rows hold a word. A place is the number of the block times 256, and the bucket.
CREATE TABLE block_words (
    space INTEGER NOT NULL,
    place INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (space, place)
);

-- The signs of the vectors of one model.
CREATE TABLE block_signs (
    space INTEGER NOT NULL,
    block INTEGER NOT NULL,
    model INTEGER NOT NULL REFERENCES models (model),
    data BLOB NOT NULL,
    PRIMARY KEY (space, block, model)
);
INSERT INTO pending (space, model, at) SELECT space, -1, 0 FROM spaces WHERE next_chunk > 1024;
