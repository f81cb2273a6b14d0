-- signals.insert: an entry was recalled for a query, unless it has been forgotten since
INSERT INTO signals (space, signal, entry, query, score, asker, at, seal)
SELECT :space, :signal, e.id, :query, :score, :asker, :at, :seal
  FROM entries e WHERE e.space = :space AND e.id = :entry;

-- signals.list: newest first, of one entry or of all
SELECT entry, query, score, asker, at FROM signals
 WHERE space = :space AND (:entry IS NULL OR entry = :entry)
 ORDER BY signal DESC LIMIT :limit;

-- signals.delete_of: forget that an entry was ever recalled
DELETE FROM signals WHERE space = :space AND entry = :entry;

-- signals.prune: the oldest ones from before a time, a batch at a time
DELETE FROM signals
 WHERE space = :space AND signal IN (SELECT o.signal FROM signals o
                                      WHERE o.space = :space AND o.at < :before
                                      ORDER BY o.at LIMIT :limit)
RETURNING signal;
