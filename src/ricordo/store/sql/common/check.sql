-- check.sessions: sessions whose counters disagree with their events
SELECT s.session, s.events, s.last_seq,
       (SELECT count(*) FROM events v WHERE v.space = :space AND v.session = s.session) AS counted,
       (SELECT coalesce(max(h.seq), -1) FROM (
            SELECT v.seq FROM events v WHERE v.space = :space AND v.session = s.session
             UNION ALL
            SELECT g.seq FROM gaps g WHERE g.space = :space AND g.session = s.session) AS h) AS highest
  FROM sessions s WHERE s.space = :space;

-- check.backward: sessions that were last active before they began, by times of the calendar
SELECT session FROM sessions
 WHERE space = :space AND updated_at < created_at AND updated_at >= :first AND created_at <= :last;

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

-- check.stray_chunks: chunks whose session or entry is gone; entries are listed once, as above all their texts are long
SELECT c.chunk FROM chunks c
 WHERE c.space = :space
   AND (c.entry IS NOT NULL
        AND c.entry NOT IN (SELECT e.id FROM entries e WHERE e.space = :space)
        AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.space = :space AND d.id = c.entry)
        AND NOT EXISTS (SELECT 1 FROM records r WHERE r.space = :space AND r.id = c.entry)
     OR c.session IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.space = :space AND s.session = c.session));

-- check.stray_vectors: vectors whose chunk is gone
SELECT e.chunk FROM embeddings e
 WHERE e.space = :space AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.space = :space AND c.chunk = e.chunk);

-- check.statistics: the counters of a space beside what its chunks say
SELECT documents, tokens,
       (SELECT count(*) FROM chunks c WHERE c.space = :space) AS counted,
       (SELECT coalesce(sum(c.words), 0) FROM chunks c WHERE c.space = :space) AS summed
  FROM counters WHERE space = :space;

-- check.texts: what the index must agree with
SELECT row, chunk, kind, entry, part, text, author, at, words, marks, calls, terms, extra
  FROM chunks WHERE space = :space ORDER BY row;

-- check.labels: the tags of entries and documents, which their chunks carry
SELECT id, tags, concept_tags FROM entries WHERE space = :space
 UNION ALL
SELECT id, tags, '[]' FROM documents WHERE space = :space;

-- check.unlike_events: chunks that tell another speaker or time than the event that says them first;
-- where events were taken out a chunk keeps those of one that is gone
SELECT c.chunk FROM chunks c
  CROSS JOIN events v
 WHERE v.space = :space AND v.session = c.session AND v.seq = c.seq_start
   AND c.space = :space AND (c.role <> v.role OR c.origin <> v.origin OR c.at <> v.at)
   AND NOT EXISTS (SELECT 1 FROM gaps g WHERE g.space = :space AND g.session = c.session);

-- check.speakers: the speakers of chunks beside the events that say who spoke; the order of the join is given,
-- because SQLite takes the other one and reads a session for each of its events
SELECT c.chunk, c.author, v.body FROM chunks c
  CROSS JOIN events v
 WHERE v.space = :space AND v.session = c.session AND v.seq = c.seq_start
   AND c.space = :space
   AND NOT EXISTS (SELECT 1 FROM gaps g WHERE g.space = :space AND g.session = c.session);

-- check.titles: what entries are called
SELECT e.id, n.name FROM entries e
  JOIN names n ON n.space = :space AND n.entry = e.id AND n.canonical = 1
 WHERE e.space = :space;

-- check.unspoken: chunks whose first or last event was never there
SELECT c.session, c.chunk FROM chunks c
 WHERE c.space = :space AND c.session IS NOT NULL
   AND (NOT EXISTS (SELECT 1 FROM events v
                     WHERE v.space = :space AND v.session = c.session AND v.seq = c.seq_start)
        AND NOT EXISTS (SELECT 1 FROM gaps g
                         WHERE g.space = :space AND g.session = c.session AND g.seq = c.seq_start)
     OR NOT EXISTS (SELECT 1 FROM events v
                     WHERE v.space = :space AND v.session = c.session AND v.seq = c.seq_end)
        AND NOT EXISTS (SELECT 1 FROM gaps g
                         WHERE g.space = :space AND g.session = c.session AND g.seq = c.seq_end));

-- check.echoes: chunks that more than one event says, with the last of them
SELECT session, seq_end, chunk, hash FROM chunks
 WHERE space = :space AND session IS NOT NULL AND seq_end <> seq_start;

-- check.unlike_entries: chunks that tell another kind, origin or time than their entry; each entry is sought
-- once, because seeking one whose text is long takes as long as reading it
SELECT c.chunk FROM entries e
  CROSS JOIN chunks c
 WHERE e.space = :space AND c.space = :space AND c.entry = e.id
   AND (c.kind <> e.kind OR c.role <> '' OR c.origin <> e.origin OR c.at < e.since OR c.at > e.updated_at
     OR coalesce(c.expires_at, -1) <> coalesce(e.expires_at, -1));

-- check.unlike_documents: chunks that tell another kind, origin or time than their document
SELECT c.chunk FROM chunks c JOIN documents d ON d.space = :space AND d.id = c.entry
 WHERE c.space = :space
   AND (c.kind <> 'file' OR c.role <> '' OR c.origin <> d.origin OR c.at < d.created_at OR c.at > d.updated_at
     OR c.expires_at IS NOT NULL);

-- check.unlike_records: chunks that tell another kind, origin or time than their record
SELECT c.chunk FROM chunks c JOIN records r ON r.space = :space AND r.id = c.entry
 WHERE c.space = :space
   AND (c.kind <> 'record' OR c.role <> '' OR c.origin <> r.origin OR c.at < r.created_at OR c.at > r.updated_at
     OR coalesce(c.expires_at, -1) <> coalesce(r.expires_at, -1));

-- check.miscounted: documents that count other chunks than they have
SELECT d.id FROM documents d
 WHERE d.space = :space
   AND d.chunks <> (SELECT count(*) FROM chunks c WHERE c.space = :space AND c.entry = d.id);

-- check.odd_names: names that are neither canonical nor an alias
SELECT name FROM names WHERE space = :space AND canonical NOT IN (0, 1);

-- check.odd_reminders: reminders that are delivered and due at once, or delivered at no time
SELECT id FROM reminders
 WHERE space = :space AND delivered_at IS NOT NULL AND (delivered_at = 0 OR due_at IS NOT NULL);

-- check.counters: counters beside the highest numbers in use
SELECT k.next_entry,
       (SELECT coalesce(max(n.number), 0) FROM (
            SELECT e.id AS number FROM entries e WHERE e.space = :space
             UNION ALL
            SELECT d.id FROM documents d WHERE d.space = :space
             UNION ALL
            SELECT r.id FROM records r WHERE r.space = :space) AS n) AS entries,
       k.next_chunk, (SELECT coalesce(max(c.chunk), 0) FROM chunks c WHERE c.space = :space) AS chunks,
       k.next_signal, (SELECT coalesce(max(g.signal), 0) FROM signals g WHERE g.space = :space) AS signals
  FROM counters k WHERE k.space = :space;

-- check.spans: texts of chunks beside their hashes
SELECT entry, hash, text, kind, author, seq_start, seq_end FROM chunks WHERE space = :space ORDER BY entry, part;

-- check.contents: what entries say; a muted entry has no chunks
SELECT id, CASE mute WHEN 0 THEN content ELSE '' END FROM entries WHERE space = :space;

-- check.entry_metadata: entries, documents and records that have metadata, or values like it
SELECT id, metadata FROM entries WHERE space = :space AND metadata NOT IN ('', '{}')
UNION ALL
SELECT id, metadata FROM documents WHERE space = :space AND metadata NOT IN ('', '{}')
UNION ALL
SELECT t.id, t.given
  FROM (SELECT r.id, CASE r.metadata WHEN '' THEN r.value ELSE r.metadata END AS given
          FROM records r WHERE r.space = :space) AS t
 WHERE t.given LIKE '{_%' AND t.given <> '{}';

-- check.entry_values: the values that are listed of them
SELECT entry, key, type, number, text FROM entry_values WHERE space = :space;

-- check.event_metadata: messages that have metadata
SELECT session, seq, body FROM events WHERE space = :space AND instr(body, '"metadata":') > 0;

-- check.event_values: the values that are listed of them
SELECT session, seq, key, type, number, text FROM event_values WHERE space = :space;
