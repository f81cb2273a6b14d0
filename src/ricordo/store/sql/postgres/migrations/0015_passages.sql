-- Passages: documents have tags, and the version of the cut that made their chunks.
-- A chunk of a document has in seq_start and seq_end where its passage begins and ends in the text.
ALTER TABLE documents ADD COLUMN tags TEXT COLLATE "C" NOT NULL DEFAULT '[]';
ALTER TABLE documents ADD COLUMN cut BIGINT NOT NULL DEFAULT 0;
