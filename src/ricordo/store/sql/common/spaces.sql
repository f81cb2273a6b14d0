-- spaces.number: the number a space is filed under
SELECT space FROM spaces WHERE name = :name;

-- spaces.find: the number of a space, and what a reader needs to know whether its view is fresh
SELECT s.space, c.revision, c.pruned, c.next_chunk - 1 AS last_chunk, c.documents, c.tokens
  FROM spaces s JOIN counters c ON c.space = s.space WHERE s.name = :name;

-- spaces.create: file a new space under the next number; one that was dropped has used up its own
INSERT INTO spaces (space, name, secret, created_at, seal)
SELECT coalesce(max(used), 0) + 1, :name, :secret, :created_at, :seal
  FROM (SELECT space AS used FROM spaces
         UNION ALL SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'highest_space') AS numbers
RETURNING space;

-- spaces.begin_counting: the counters of a new space
INSERT INTO counters (space) VALUES (:space);

-- spaces.highest: the highest number of a space that is there
SELECT coalesce(max(space), 0) FROM spaces;

-- spaces.rename: another name for the same rows
UPDATE spaces SET name = :name, seal = :seal WHERE space = :space;

-- spaces.end_counting: the counters of a space that has nothing left
DELETE FROM counters WHERE space = :space;

-- spaces.delete: a space that has nothing left, not even counters
DELETE FROM spaces WHERE space = :space;

-- spaces.names: every space of the memory, by name
SELECT name FROM spaces ORDER BY name;

-- spaces.page: spaces whose names lie between two texts, by name
SELECT name FROM spaces
 WHERE name >= :prefix AND name < :beyond AND name > :after ORDER BY name LIMIT :limit;

-- spaces.numbers: every space with its last chunk, for work that visits them one by one
SELECT s.space, s.name, coalesce(c.next_chunk - 1, 0) AS last_chunk
  FROM spaces s LEFT JOIN counters c ON c.space = s.space ORDER BY s.space;

-- spaces.counters: the numbers that the next rows of a space get
SELECT next_entry, next_chunk, next_signal, revision, documents, tokens
  FROM counters WHERE space = :space;

-- spaces.secret: what keys the digests of a space
SELECT secret FROM spaces WHERE space = :space;

-- spaces.state: what a reader needs to know whether its view is fresh
SELECT revision, pruned, next_chunk - 1 AS last_chunk, documents, tokens
  FROM counters WHERE space = :space;

-- spaces.shrank: chunks were removed, or vectors replaced, so views must compare their rows
UPDATE counters SET documents = documents - :chunks, tokens = tokens - :tokens,
       revision = revision + 1, pruned = revision + 1
 WHERE space = :space;

-- spaces.embedded: vectors were added at the end
UPDATE counters SET revision = revision + 1 WHERE space = :space;

-- spaces.recount: set the statistics to what the chunks say
UPDATE counters SET
       documents = (SELECT count(*) FROM chunks c WHERE c.space = :space),
       tokens = (SELECT coalesce(sum(c.words), 0) FROM chunks c WHERE c.space = :space),
       revision = revision + 1, pruned = revision + 1
 WHERE space = :space;

-- spaces.next_entry: take a run of numbers of entries, documents and records; none is used twice
UPDATE counters SET next_entry = next_entry + :count WHERE space = :space RETURNING next_entry - :count;

-- spaces.next_signals: take a run of signal numbers
UPDATE counters SET next_signal = next_signal + :count WHERE space = :space
RETURNING next_signal - :count;
