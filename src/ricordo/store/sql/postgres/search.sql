-- chunks.last_row: the row before the first chunk's; a row is the number of its space and of its chunk in one
SELECT (:space << 32) + :first - 1;

-- spaces.grew: make room for chunks: the number of the first, the row before its own; not if `pending` is marked
UPDATE counters SET next_chunk = next_chunk + :chunks, documents = documents + :chunks,
       tokens = tokens + :tokens, revision = revision + 1
 WHERE space = :space
RETURNING next_chunk - :chunks, (space::bigint << 32) + next_chunk - :chunks - 1, FALSE;

-- chunks.widen: the same was said again
UPDATE chunks SET seq_end = greatest(seq_end, :seq) WHERE space = :space AND chunk = :chunk;

-- chunks.known: chunks of this session that already say the same
SELECT hash, chunk, at FROM chunks
 WHERE space = :space AND session = :session
   AND hash IN (SELECT decode(jsonb_array_elements_text(:hashes::jsonb), 'hex'));

-- chunks.allowed: the chunks that pass the filters of a recall
SELECT c.chunk
  FROM chunks c
 WHERE c.space = :space
   AND (:session IS NULL OR c.session = :session)
   AND (:since IS NULL OR c.at >= :since)
   AND (:until IS NULL OR c.at < :until)
   AND (:kinds IS NULL OR c.kind IN (SELECT jsonb_array_elements_text(:kinds::jsonb)))
   AND (:origins IS NULL OR c.origin IN (SELECT jsonb_array_elements_text(:origins::jsonb)))
   AND (:category IS NULL OR EXISTS (
        SELECT 1 FROM entries e WHERE e.space = :space AND e.id = c.entry AND e.category = :category))
   AND (:tags IS NULL OR (
        SELECT count(*) FROM entry_tags t WHERE t.space = :space AND t.entry = c.entry
           AND t.tag IN (SELECT jsonb_array_elements_text(:tags::jsonb))) = jsonb_array_length(:tags::jsonb))
   AND (:entries IS NULL OR c.entry IN (SELECT value::bigint FROM jsonb_array_elements_text(:entries::jsonb) AS value))
   AND (:without IS NULL OR c.entry IS NULL OR c.entry NOT IN (
        SELECT value::bigint FROM jsonb_array_elements_text(:without::jsonb) AS value))
   AND (:without_sessions IS NULL OR c.session IS NULL OR c.session NOT IN (
        SELECT value FROM jsonb_array_elements_text(:without_sessions::jsonb) AS value))
 ORDER BY c.chunk;

-- words.insert: the stems of a chunk; its row of term 0 says that the index knows it
INSERT INTO words (space, term, chunk, field)
SELECT :row >> 32, stem, :row & 4294967295, bit_or(field)
  FROM (SELECT ('x' || split_part(token, '_', 2))::bit(32)::integer AS stem, 1::smallint AS field
          FROM string_to_table(nullif(:terms, ''), ' ') AS token
         UNION ALL
        SELECT ('x' || split_part(token, '_', 2))::bit(32)::integer, 2::smallint
          FROM string_to_table(nullif(:extra, ''), ' ') AS token
         UNION ALL
        SELECT 0, 0::smallint) AS said
 GROUP BY stem;

-- words.delete: take a chunk out of the index
DELETE FROM words WHERE space = :row >> 32 AND chunk = :row & 4294967295;

-- words.holding: chunks that hold the stems of a phrase side by side, newest first
SELECT w.chunk
  FROM (SELECT decode(regexp_replace(:match, 'terms : |"|[0-9]+_| ', '', 'g'), 'hex') AS phrase,
               CASE WHEN :match LIKE 'terms : %' THEN 1 ELSE 3 END AS fields) AS sought
  JOIN words w ON w.space = :space
   AND w.term = ('x' || encode(substring(sought.phrase FROM 1 FOR 4), 'hex'))::bit(32)::integer
 WHERE w.field & sought.fields > 0
   AND (octet_length(sought.phrase) = 4 OR EXISTS (
        SELECT 1
          FROM chunks c
         CROSS JOIN LATERAL (VALUES (1, c.terms), (2, c.extra)) AS said (field, stems)
         CROSS JOIN LATERAL generate_series(0, octet_length(said.stems) - octet_length(sought.phrase), 4) AS place
         WHERE c.space = :space AND c.chunk = w.chunk AND said.field & sought.fields > 0
           AND substring(said.stems FROM place + 1 FOR octet_length(sought.phrase)) = sought.phrase))
   AND (:allowed IS NULL OR w.chunk IN (
        SELECT value::bigint FROM jsonb_array_elements_text(:allowed::jsonb) AS value))
 ORDER BY w.chunk DESC LIMIT :limit;

-- words.frequency: in how many chunks of this space a stem stands
SELECT :term, count(*) FROM words
 WHERE space = :space AND term = ('x' || split_part(:term, '_', 2))::bit(32)::integer AND field & 1 > 0;

-- words.substring: messages and entries of the passed chunks, newest first; their first such chunk
SELECT min(c.chunk) FROM chunks c
 WHERE c.space = :space
   AND c.chunk IN (SELECT value::bigint FROM jsonb_array_elements_text(:passed::jsonb) AS value)
   AND (:allowed IS NULL OR c.chunk IN (
        SELECT value::bigint FROM jsonb_array_elements_text(:allowed::jsonb) AS value))
 GROUP BY c.session, c.seq_start, c.entry
 ORDER BY max(c.at) DESC, min(c.chunk) DESC LIMIT :limit;

-- words.prune: take rows out of the index whose chunk is gone
DELETE FROM words w
 WHERE w.space = :space
   AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.space = :space AND c.chunk = w.chunk);

-- words.rows: the rows the index holds
SELECT (space << 32) + chunk FROM words WHERE space = :space AND term = 0 ORDER BY chunk;

-- words.with_stem: the rows of the index that hold a stem in their text
SELECT (w.space << 32) + w.chunk FROM words w
 WHERE w.space = :space AND w.field & 1 > 0
   AND w.term = ('x' || substring(:match FROM '_([0-9a-f]{8})'))::bit(32)::integer;

-- embeddings.some: the vectors of a list of chunks
SELECT e.chunk, e.vector FROM embeddings e
 WHERE e.space = :space AND e.model = :model
   AND e.chunk = ANY(ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(:chunks::jsonb) AS value));

-- chunks.stems: the stems of the texts of a list of chunks
SELECT c.chunk, c.terms FROM chunks c
 WHERE c.space = :space
   AND c.chunk = ANY(ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(:chunks::jsonb) AS value));
