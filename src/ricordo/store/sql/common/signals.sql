-- signals.insert: an entry was recalled for a query, unless it has been forgotten since
INSERT INTO signals (space, signal, entry, query, score, asker, at, session, seq, seal)
SELECT e.space, :signal, e.id, :query, :score, :asker, :at, :session, :seq, :seal
  FROM entries e WHERE e.space = :space AND e.id = :entry;

-- signals.list: newest first, with what the entries are called
SELECT n.name, s.query, s.score, s.asker, s.at, s.session, s.seq
  FROM signals s JOIN names n ON n.space = :space AND n.entry = s.entry AND n.canonical = 1
 WHERE s.space = :space ORDER BY s.signal DESC LIMIT :limit;

-- signals.list_of: those of one entry, likewise
SELECT n.name, s.query, s.score, s.asker, s.at, s.session, s.seq
  FROM signals s JOIN names n ON n.space = :space AND n.entry = s.entry AND n.canonical = 1
 WHERE s.space = :space AND s.entry = :entry ORDER BY s.signal DESC LIMIT :limit;

-- signals.list_asked: those of one session, likewise
SELECT n.name, s.query, s.score, s.asker, s.at, s.session, s.seq
  FROM signals s JOIN names n ON n.space = :space AND n.entry = s.entry AND n.canonical = 1
 WHERE s.space = :space AND s.session = :session ORDER BY s.signal DESC LIMIT :limit;

-- signals.crowded: entries with too many signals, of those that got one lately
SELECT s.entry FROM signals s
 WHERE s.space = :space
   AND s.entry IN (SELECT r.entry FROM signals r WHERE r.space = :space AND r.signal >= :since)
 GROUP BY s.entry HAVING count(*) > :most
 ORDER BY s.entry;

-- signals.of_entry: all signals of an entry; by their numbers, or SQLite reads the whole space for it
SELECT s.signal, s.query, s.asker, s.at FROM signals s
 WHERE s.space = :space
   AND s.signal IN (SELECT o.signal FROM signals o WHERE o.space = :space AND o.entry = :entry);

-- signals.delete_of: forget that an entry was ever recalled; by their numbers, as above
DELETE FROM signals
 WHERE space = :space
   AND signal IN (SELECT o.signal FROM signals o WHERE o.space = :space AND o.entry = :entry)
RETURNING signal;

-- signals.delete_asked: forget what was asked in a session; by their numbers, as above
DELETE FROM signals
 WHERE space = :space
   AND signal IN (SELECT o.signal FROM signals o WHERE o.space = :space AND o.session = :session)
RETURNING signal;

-- signals.delete_between: forget what was asked between two events of a session
DELETE FROM signals
 WHERE space = :space
   AND signal IN (SELECT o.signal FROM signals o
                   WHERE o.space = :space AND o.session = :session AND o.seq BETWEEN :first AND :last)
RETURNING signal;

-- signals.prune: the oldest ones from before a time, a batch at a time
DELETE FROM signals
 WHERE space = :space AND signal IN (SELECT o.signal FROM signals o
                                      WHERE o.space = :space AND o.at < :before
                                      ORDER BY o.at LIMIT :limit)
RETURNING signal;
