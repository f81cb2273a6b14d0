-- check.sessions: sessions whose counters disagree with their events
SELECT s.session, s.events, s.last_seq,
       (SELECT count(*) FROM events v WHERE v.space = :space AND v.session = s.session) AS counted,
       (SELECT coalesce(max(h.seq), -1) FROM (
            SELECT v.seq FROM events v WHERE v.space = :space AND v.session = s.session
             UNION ALL
            SELECT g.seq FROM gaps g WHERE g.space = :space AND g.session = s.session) AS h) AS highest
  FROM sessions s WHERE s.space = :space;

-- check.orphan_events: events without a session
SELECT v.session, v.seq FROM events v
 WHERE v.space = :space
   AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.space = :space AND s.session = v.session);

-- check.nameless: entries without exactly one canonical name
SELECT e.id, (SELECT count(*) FROM names n WHERE n.space = :space AND n.entry = e.id AND n.canonical = 1) AS names
  FROM entries e WHERE e.space = :space
   AND 1 <> (SELECT count(*) FROM names n WHERE n.space = :space AND n.entry = e.id AND n.canonical = 1);

-- check.dangling_names: names that lead to no entry
SELECT n.name, n.entry FROM names n
 WHERE n.space = :space AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.space = :space AND e.id = n.entry);

-- check.stray_chunks: chunks whose session or entry is gone
SELECT c.chunk FROM chunks c
 WHERE c.space = :space
   AND (c.entry IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.space = :space AND e.id = c.entry)
        AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.space = :space AND d.id = c.entry)
     OR c.session IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.space = :space AND s.session = c.session));

-- check.stray_vectors: vectors whose chunk is gone
SELECT e.chunk FROM embeddings e
 WHERE e.space = :space AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.space = :space AND c.chunk = e.chunk);

-- check.statistics: the counters of a space beside what its chunks say
SELECT documents, tokens,
       (SELECT count(*) FROM chunks c WHERE c.space = :space) AS counted,
       (SELECT coalesce(sum(c.words), 0) FROM chunks c WHERE c.space = :space) AS summed
  FROM spaces WHERE space = :space;

-- check.texts: what the index must agree with
SELECT row, chunk, kind, part, text, author, terms FROM chunks WHERE space = :space ORDER BY row;

-- check.spans: texts of chunks beside their hashes
SELECT entry, hash, text FROM chunks WHERE space = :space ORDER BY entry, part;

-- check.contents: what entries and documents say
SELECT id, content FROM entries WHERE space = :space
 UNION ALL
SELECT id, text FROM documents WHERE space = :space;
