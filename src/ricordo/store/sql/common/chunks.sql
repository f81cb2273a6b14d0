-- chunks.insert: one indexed span
INSERT INTO chunks (row, space, chunk, seq_start, seq_end, kind, session, entry, part, role, author, origin,
                    at, expires_at, hash, text, length, words, marks, calls, terms, extra)
VALUES (:row, :space, :chunk, :seq_start, :seq_end, :kind, :session, :entry, :part, :role, :author, :origin,
        :at, :expires_at, :hash, :text, :length, :words, :marks, :calls, :terms, :extra);

-- chunks.saying: chunks of this session that say one text
SELECT hash, chunk, at FROM chunks WHERE space = :space AND session = :session AND hash = :hash;

-- chunks.widen: the same was said again
UPDATE chunks SET seq_end = max(seq_end, :seq) WHERE space = :space AND chunk = :chunk;

-- chunks.since: what a view does not hold yet
SELECT chunk, kind, session, seq_start, entry, part, role, author, length, at, marks, calls, terms, extra
  FROM chunks WHERE space = :space AND chunk > :after ORDER BY chunk LIMIT :limit;

-- chunks.ids: the chunks that are there
SELECT chunk FROM chunks WHERE space = :space ORDER BY chunk;

-- chunks.waiting: texts after a place in the order, to be embedded with the names that count
SELECT c.chunk, CASE (SELECT e.embed_name FROM entries e WHERE e.space = :space AND e.id = c.entry)
                WHEN 0 THEN '' ELSE c.author END, c.text
  FROM chunks c
 WHERE c.space = :space AND c.chunk > :after ORDER BY c.chunk LIMIT :limit;

-- chunks.count_after: how many wait to be embedded
SELECT count(*) FROM chunks WHERE space = :space AND chunk > :after;

-- chunks.one: the text of one chunk, to be embedded again
SELECT CASE (SELECT e.embed_name FROM entries e WHERE e.space = :space AND e.id = c.entry)
       WHEN 0 THEN '' ELSE c.author END, c.text
  FROM chunks c
 WHERE c.space = :space AND c.chunk = :chunk;

-- chunks.hydrate: what a hit shows
SELECT chunk, kind, session, seq_start, seq_end, entry, part, role, author, origin, at, text, words
  FROM chunks WHERE space = :space AND chunk = :chunk;

-- chunks.terms: the stems of one chunk
SELECT terms, extra FROM chunks WHERE space = :space AND chunk = :chunk;

-- chunks.first_of_entries: where each entry begins
SELECT entry, chunk, author FROM chunks
 WHERE space = :space AND entry IS NOT NULL AND part = 0 AND kind <> 'file' ORDER BY entry;

-- chunks.later: chunks of what was said after a time, and of entries that say something else since
SELECT c.chunk FROM chunks c
  LEFT JOIN entries e ON e.space = :space AND e.id = c.entry
 WHERE c.space = :space AND coalesce(e.since, c.at) > :at ORDER BY c.chunk;

-- chunks.expired: chunks of expired entries
SELECT chunk FROM chunks WHERE space = :space AND expires_at IS NOT NULL AND expires_at <= :now;

-- chunks.rows_of_entry: what leaves the index with an entry
SELECT row, chunk, words FROM chunks WHERE space = :space AND entry = :entry;

-- chunks.rows_of_session: what leaves the index with a session
SELECT row, chunk, words FROM chunks WHERE space = :space AND session = :session;

-- chunks.spans: the chunks of a session, with the first and the last event that say them
SELECT chunk, seq_start, seq_end FROM chunks WHERE space = :space AND session = :session;

-- chunks.of_event: the chunks that one event says
SELECT chunk FROM chunks
 WHERE space = :space AND session = :session AND (seq_start = :seq OR seq_end = :seq);

-- chunks.expire: when an entry expires, without a change of its chunks
UPDATE chunks SET expires_at = :expires_at WHERE space = :space AND entry = :entry;

-- chunks.delete_entry: the spans of an entry
DELETE FROM chunks WHERE space = :space AND entry = :entry;

-- chunks.delete_session: the spans of a session
DELETE FROM chunks WHERE space = :space AND session = :session;

-- chunks.page: texts to index again
SELECT row, chunk, kind, entry, part, role, author, at, text FROM chunks
 WHERE space = :space AND chunk > :after ORDER BY chunk LIMIT :limit;

-- chunks.reindex: the same text under the present tokenizer
UPDATE chunks SET words = :words, marks = :marks, calls = :calls, terms = :terms, extra = :extra
 WHERE space = :space AND chunk = :chunk;
