-- What every write of a space changes lies apart from its name and its secret. Where spaces are spread over
-- servers each of them has the table of spaces whole, and a write is then the matter of one server.
CREATE TABLE counters (
    space INTEGER PRIMARY KEY REFERENCES spaces (space),
    next_entry INTEGER NOT NULL DEFAULT 1,
    next_chunk INTEGER NOT NULL DEFAULT 1,
    next_signal INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 0,    -- rises whenever chunks or embeddings change
    pruned INTEGER NOT NULL DEFAULT 0,      -- the revision of the last removal
    documents INTEGER NOT NULL DEFAULT 0,   -- chunks, and the words in them: BM25 statistics
    tokens INTEGER NOT NULL DEFAULT 0
);
INSERT INTO counters (space, next_entry, next_chunk, next_signal, revision, pruned, documents, tokens)
SELECT space, next_entry, next_chunk, next_signal, revision, pruned, documents, tokens FROM spaces;
ALTER TABLE spaces DROP COLUMN next_entry;
ALTER TABLE spaces DROP COLUMN next_chunk;
ALTER TABLE spaces DROP COLUMN next_signal;
ALTER TABLE spaces DROP COLUMN revision;
ALTER TABLE spaces DROP COLUMN pruned;
ALTER TABLE spaces DROP COLUMN documents;
ALTER TABLE spaces DROP COLUMN tokens;
