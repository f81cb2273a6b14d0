-- models.number: the number of a model
SELECT model, dim FROM models WHERE fingerprint = :fingerprint;

-- models.create: file a model under the next number
INSERT INTO models (model, fingerprint, dim)
SELECT coalesce(max(model), 0) + 1, :fingerprint, :dim FROM models RETURNING model;

-- models.list: every model with vectors in this memory
SELECT model, fingerprint, dim FROM models ORDER BY model;

-- embeddings.put: the vector of a chunk under a model; nothing if the chunk was forgotten meanwhile
INSERT INTO embeddings (space, model, chunk, vector)
SELECT c.space, :model, c.chunk, :vector FROM chunks c WHERE c.space = :space AND c.chunk = :chunk
    ON CONFLICT (space, model, chunk) DO UPDATE SET vector = excluded.vector;

-- embeddings.between: the vectors of a range of chunks
SELECT chunk, vector FROM embeddings
 WHERE space = :space AND model = :model AND chunk > :after AND chunk <= :last ORDER BY chunk LIMIT :limit;

-- embeddings.get: one vector
SELECT vector FROM embeddings WHERE space = :space AND model = :model AND chunk = :chunk;

-- embeddings.delete: all vectors of a chunk
DELETE FROM embeddings WHERE space = :space AND chunk = :chunk
   AND model IN (SELECT m.model FROM models m);

-- embeddings.count: how many chunks have a vector under a model
SELECT count(*) FROM embeddings WHERE space = :space AND model = :model;

-- coverage.serving: the models that have vectors here, the one that covers most first
SELECT m.model, m.fingerprint, m.dim, c.upto
  FROM coverage c JOIN models m ON m.model = c.model
 WHERE c.space = :space AND c.upto > 0 ORDER BY c.upto DESC, m.model DESC;

-- coverage.begun: of one or two models those that have begun with a space, the furthest first
SELECT m.model, m.fingerprint, m.dim, c.upto
  FROM coverage c JOIN models m ON m.model = c.model
 WHERE c.space = :space AND m.fingerprint IN (:first, :second)
 ORDER BY c.upto DESC, CASE WHEN m.fingerprint = :second THEN 0 ELSE 1 END;

-- coverage.get: up to which chunk a model has been through
SELECT upto FROM coverage WHERE space = :space AND model = :model;

-- coverage.start: a model begins with this space
INSERT INTO coverage (space, model, upto) VALUES (:space, :model, 0) ON CONFLICT DO NOTHING;

-- coverage.advance: move on, unless another worker did since we looked
UPDATE coverage SET upto = :upto WHERE space = :space AND model = :model AND upto = :seen;

-- coverage.reset: begin again
UPDATE coverage SET upto = 0 WHERE space = :space AND model = :model;

-- coverage.end: the others are no longer used in this space
DELETE FROM coverage WHERE space = :space AND model <> :model;

-- failures.put: an embedding failed; keep why, and when to try again
INSERT INTO failures (space, model, chunk, attempts, next_try, error)
VALUES (:space, :model, :chunk, 1, :next_try, :error)
    ON CONFLICT (space, model, chunk) DO UPDATE
   SET attempts = failures.attempts + 1, next_try = excluded.next_try, error = excluded.error;

-- failures.due: what to try again; a try is put off by an hour at most, so one later is from a wrong clock
SELECT chunk, attempts FROM failures
 WHERE space = :space AND model = :model AND (next_try <= :now OR next_try > :now + 7200000000)
 ORDER BY chunk LIMIT :limit;

-- failures.next: when the earliest retry is due
SELECT min(next_try) FROM failures WHERE space = :space AND model = :model;

-- failures.attempts: how often a chunk has failed
SELECT attempts FROM failures WHERE space = :space AND model = :model AND chunk = :chunk;

-- failures.delete: it worked, or the chunk is gone
DELETE FROM failures WHERE space = :space AND model = :model AND chunk = :chunk;

-- failures.delete_chunk: the chunk is gone
DELETE FROM failures WHERE space = :space AND chunk = :chunk AND model IN (SELECT m.model FROM models m);

-- failures.list: what failed and why
SELECT chunk, attempts, next_try, error FROM failures WHERE space = :space AND model = :model ORDER BY chunk;

-- failures.count: how many chunks wait for a retry
SELECT count(*) FROM failures WHERE space = :space AND model = :model;

-- failures.last_error: why the newest of them failed
SELECT error FROM failures WHERE space = :space AND model = :model ORDER BY chunk DESC LIMIT 1;
