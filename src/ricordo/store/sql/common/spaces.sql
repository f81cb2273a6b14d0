-- spaces.number: the number a space is filed under
SELECT space FROM spaces WHERE name = :name;

-- spaces.find: the number of a space, and what a reader needs to know whether its view is fresh
SELECT space, revision, pruned, next_chunk - 1 AS last_chunk, documents, tokens
  FROM spaces WHERE name = :name;

-- spaces.create: file a new space under the next number; one that was dropped has used up its own
INSERT INTO spaces (space, name, secret, created_at, seal)
SELECT coalesce(max(used), 0) + 1, :name, :secret, :created_at, :seal
  FROM (SELECT space AS used FROM spaces
         UNION ALL SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'highest_space') AS numbers
RETURNING space;

-- spaces.rename: another name for the same rows
UPDATE spaces SET name = :name, seal = :seal WHERE space = :space;

-- spaces.delete: a space that has nothing left
DELETE FROM spaces WHERE space = :space;

-- spaces.names: every space of the memory, by name
SELECT name FROM spaces ORDER BY name;

-- spaces.page: spaces whose names lie between two texts, by name
SELECT name FROM spaces
 WHERE name >= :prefix AND name < :beyond AND name > :after ORDER BY name LIMIT :limit;

-- spaces.numbers: every space with its last chunk, for work that visits them one by one
SELECT space, name, next_chunk - 1 AS last_chunk FROM spaces ORDER BY space;

-- spaces.counters: what a write needs to know before it adds rows
SELECT next_entry, next_chunk, next_signal, revision, documents, tokens, secret
  FROM spaces WHERE space = :space;

-- spaces.state: what a reader needs to know whether its view is fresh
SELECT revision, pruned, next_chunk - 1 AS last_chunk, documents, tokens
  FROM spaces WHERE space = :space;

-- spaces.grew: make room for chunks and take their numbers; the revision tells readers to look
UPDATE spaces SET next_chunk = next_chunk + :chunks, documents = documents + :chunks,
       tokens = tokens + :tokens, revision = revision + 1
 WHERE space = :space RETURNING next_chunk - :chunks;

-- spaces.shrank: chunks were removed, or vectors replaced, so views must compare their rows
UPDATE spaces SET documents = documents - :chunks, tokens = tokens - :tokens,
       revision = revision + 1, pruned = revision + 1
 WHERE space = :space;

-- spaces.embedded: vectors were added at the end
UPDATE spaces SET revision = revision + 1 WHERE space = :space;

-- spaces.recount: set the statistics to what the chunks say
UPDATE spaces SET
       documents = (SELECT count(*) FROM chunks c WHERE c.space = :space),
       tokens = (SELECT coalesce(sum(c.words), 0) FROM chunks c WHERE c.space = :space),
       revision = revision + 1, pruned = revision + 1
 WHERE space = :space;

-- spaces.next_entry: take a run of numbers of entries, documents and records; none is used twice
UPDATE spaces SET next_entry = next_entry + :count WHERE space = :space RETURNING next_entry - :count;

-- spaces.next_signals: take a run of signal numbers
UPDATE spaces SET next_signal = next_signal + :count WHERE space = :space
RETURNING next_signal - :count;
