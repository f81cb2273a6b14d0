-- chunks.last_row: row numbers rise through the whole file, because FTS5 knows rows by number
SELECT coalesce(max(row), 0) FROM chunks;

-- spaces.grew: make room for chunks: the number of the first, the row before its own, is `pending` marked
UPDATE counters SET next_chunk = next_chunk + :chunks, documents = documents + :chunks,
       tokens = tokens + :tokens, revision = revision + 1
 WHERE space = :space
RETURNING next_chunk - :chunks, (SELECT coalesce(max(row), 0) FROM chunks),
          EXISTS (SELECT 1 FROM pending p WHERE p.space = :space AND p.model = 0);

-- chunks.known: chunks of this session that already say the same
SELECT hash, chunk, at FROM chunks
 WHERE space = :space AND session = :session AND hash IN (SELECT unhex(value) FROM json_each(:hashes));

-- chunks.allowed: the chunks that pass the filters of a recall
SELECT c.chunk
  FROM chunks c
 WHERE c.space = :space
   AND (:session IS NULL OR c.session = :session)
   AND (:since IS NULL OR c.at >= :since)
   AND (:until IS NULL OR c.at < :until)
   AND (:kinds IS NULL OR c.kind IN (SELECT value FROM json_each(:kinds)))
   AND (:origins IS NULL OR c.origin IN (SELECT value FROM json_each(:origins)))
   AND (:category IS NULL OR EXISTS (
        SELECT 1 FROM entries e WHERE e.space = :space AND e.id = c.entry AND e.category = :category))
   AND (:tags IS NULL OR (
        SELECT count(*) FROM entry_tags t WHERE t.space = :space AND t.entry = c.entry
           AND t.tag IN (SELECT value FROM json_each(:tags))) = json_array_length(:tags))
   AND (:entries IS NULL OR c.entry IN (SELECT value FROM json_each(:entries)))
   AND (:without IS NULL OR c.entry IS NULL OR c.entry NOT IN (
        SELECT value FROM json_each(:without)))
   AND (:without_sessions IS NULL OR c.session IS NULL OR c.session NOT IN (
        SELECT value FROM json_each(:without_sessions)))
 ORDER BY c.chunk;

-- words.insert: the index row of a chunk
INSERT INTO words (rowid, terms, extra) VALUES (:row, :terms, :extra);

-- words.delete: take a chunk out of the index
DELETE FROM words WHERE rowid = :row;

-- words.holding: chunks that hold a quoted phrase whose tokens all carry this space's number
SELECT c.chunk
  FROM words w CROSS JOIN chunks c ON c.row = w.rowid
 WHERE w.words MATCH :match AND c.space = :space
   AND (:allowed IS NULL OR c.chunk IN (SELECT value FROM json_each(:allowed)))
 ORDER BY w.rowid DESC LIMIT :limit;

-- words.frequency: in how many chunks of this space a token stands
SELECT term, doc FROM vocabulary WHERE term = :term AND col = 'terms' AND :space IS NOT NULL;

-- words.substring: messages and entries that hold the text literally, newest first; their first such chunk
SELECT min(c.chunk) FROM chunks c
 WHERE c.space = :space
   AND (instr(folded(c.text), folded(:text)) > 0 OR instr(folded(c.author), folded(:text)) > 0)
   AND (:allowed IS NULL OR c.chunk IN (SELECT value FROM json_each(:allowed)))
 GROUP BY c.session, c.seq_start, c.entry
 ORDER BY max(c.at) DESC, min(c.chunk) DESC LIMIT :limit;

-- words.prune: take rows out of the index whose chunk is gone
DELETE FROM words WHERE rowid IN (
    SELECT d.id FROM words_docsize d WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.row = d.id));

-- words.rows: the rows the index holds
SELECT id FROM words_docsize ORDER BY id;

-- words.with_stem: the rows of the index that hold a token
SELECT rowid FROM words WHERE words MATCH :match AND :space IS NOT NULL;

-- embeddings.some: the vectors of a list of chunks
SELECT e.chunk, e.vector FROM json_each(:chunks) j CROSS JOIN embeddings e
    ON e.space = :space AND e.model = :model AND e.chunk = j.value;

-- chunks.stems: the stems of the texts of a list of chunks
SELECT c.chunk, c.terms FROM json_each(:chunks) j CROSS JOIN chunks c
    ON c.space = :space AND c.chunk = j.value;
