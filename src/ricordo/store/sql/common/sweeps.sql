-- sweeps.candidates: what users and agents recalled, not schedules or automatic injection; most recalled first
SELECT e.id, n.name, e.kind, e.category, substr(e.content, 1, CAST(:characters AS INTEGER)), e.since,
       t.hits, t.relevance, t.last, t.days
  FROM (SELECT s.entry, count(*) AS hits, avg(s.score) AS relevance, max(s.at) AS last,
               count(DISTINCT s.at / 86400000000) AS days
          FROM signals s
         WHERE s.space = :space AND s.asker IN ('user', 'agent')
         GROUP BY s.entry) AS t
  JOIN entries e ON e.space = :space AND e.id = t.entry
  JOIN names n ON n.space = :space AND n.entry = e.id AND n.canonical = 1
 WHERE e.kind <> 'archive' AND e.mute = 0 AND (e.expires_at IS NULL OR e.expires_at > :now)
 ORDER BY t.hits DESC, e.id LIMIT :limit;

-- sweeps.asked: for what entries were recalled that were recalled often enough
SELECT s.entry, s.query FROM signals s
 WHERE s.space = :space AND s.asker IN ('user', 'agent')
   AND s.entry IN (SELECT o.entry FROM signals o
                    WHERE o.space = :space AND o.asker IN ('user', 'agent')
                    GROUP BY o.entry HAVING count(*) >= :least);

-- sweeps.facts: facts, the most recently changed first
SELECT e.id, n.name, e.category, e.content, e.since
  FROM entries e JOIN names n ON n.space = :space AND n.entry = e.id AND n.canonical = 1
 WHERE e.space = :space AND e.kind = 'fact' AND (e.expires_at IS NULL OR e.expires_at > :now)
 ORDER BY e.since DESC, e.id LIMIT :limit;

-- sweeps.former: what facts said before they said something else
SELECT DISTINCT r.entry, r.content
  FROM revisions r JOIN entries e ON e.space = :space AND e.id = r.entry
 WHERE r.space = :space AND e.kind = 'fact' AND r.content <> e.content
 ORDER BY r.entry LIMIT :limit;

-- sweeps.next: the number of the next sweep
SELECT coalesce(max(id), 0) + 1 FROM sweeps WHERE space = :space;

-- sweeps.insert: a sweep
INSERT INTO sweeps (space, id, at, candidates, skipped, report, is_filed, undone_at, withdrawn, seal)
VALUES (:space, :id, :at, :candidates, :skipped, :report, :is_filed, :undone_at, :withdrawn, :seal);

-- sweeps.get: one sweep
SELECT id, at, candidates, skipped, report, is_filed, undone_at, withdrawn
  FROM sweeps WHERE space = :space AND id = :id;

-- sweeps.list: newest first
SELECT id, at, candidates, skipped, report, is_filed, undone_at, withdrawn
  FROM sweeps WHERE space = :space ORDER BY id DESC LIMIT :limit;

-- sweeps.filed: whether any sweep of the space wrote files
SELECT 1 FROM sweeps WHERE space = :space AND is_filed = 1 LIMIT 1;

-- sweeps.undo: note that a sweep was undone, unless it was before
UPDATE sweeps SET undone_at = :at, withdrawn = :withdrawn, seal = :seal
 WHERE space = :space AND id = :id AND undone_at IS NULL RETURNING id;

-- sweeps.delete: a sweep whose files could not be written
DELETE FROM sweeps WHERE space = :space AND id = :id;

-- promotions.insert: an entry was promoted, unless it was before or has been forgotten
INSERT INTO promotions (space, entry, sweep, phase, at, score, frequency, relevance, recency, diversity,
                        consolidation, hits, queries, days, seal)
SELECT e.space, e.id, :sweep, :phase, :at, :score, :frequency, :relevance, :recency, :diversity,
       :consolidation, :hits, :queries, :days, :seal
  FROM entries e WHERE e.space = :space AND e.id = :entry
    ON CONFLICT (space, entry) DO NOTHING
RETURNING entry;

-- promotions.entries: what stands in the ledger
SELECT entry FROM promotions WHERE space = :space;

-- promotions.list: the ledger, newest first
SELECT n.name, p.entry, p.sweep, p.phase, p.at, p.score, p.frequency, p.relevance, p.recency, p.diversity,
       p.consolidation, p.hits, p.queries, p.days
  FROM promotions p JOIN names n ON n.space = :space AND n.entry = p.entry AND n.canonical = 1
 WHERE p.space = :space ORDER BY p.at DESC, p.score DESC, p.entry LIMIT :limit;

-- promotions.of: the promotions of one sweep, best first
SELECT n.name, p.entry, p.sweep, p.phase, p.at, p.score, p.frequency, p.relevance, p.recency, p.diversity,
       p.consolidation, p.hits, p.queries, p.days
  FROM promotions p JOIN names n ON n.space = :space AND n.entry = p.entry AND n.canonical = 1
 WHERE p.space = :space AND p.sweep = :sweep ORDER BY p.score DESC, p.entry;

-- promotions.sweeps: the sweeps that have promotions in force, oldest first
SELECT DISTINCT sweep FROM promotions WHERE space = :space ORDER BY sweep;

-- promotions.rewritten: promoted entries that were written to since
SELECT p.entry, p.at FROM promotions p JOIN entries e ON e.space = :space AND e.id = p.entry
 WHERE p.space = :space AND e.since > p.at ORDER BY p.entry LIMIT :limit;

-- promotions.stale: promotions of entries that are gone
SELECT p.entry FROM promotions p
 WHERE p.space = :space
   AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.space = :space AND e.id = p.entry);

-- promotions.delete: an entry is promoted no more
DELETE FROM promotions WHERE space = :space AND entry = :entry RETURNING entry;

-- promotions.delete_of: the promotions of one sweep
DELETE FROM promotions WHERE space = :space AND sweep = :sweep RETURNING entry;

-- outbox.next: the number of the next pending change of files
SELECT coalesce(max(number), 0) + 1 FROM outbox WHERE space = :space;

-- outbox.put: a pending change of files
INSERT INTO outbox (space, number, kind, target, seal) VALUES (:space, :number, :kind, :target, :seal);

-- outbox.pending: what the files have not been told, in order
SELECT number, kind, target FROM outbox WHERE space = :space ORDER BY number;

-- outbox.clear: the files have been told
DELETE FROM outbox WHERE space = :space AND number = :number;

-- outbox.drop: a change of files that is done
DELETE FROM outbox WHERE space = :space AND kind = :kind AND target = :target;

-- dreamers.get: who sweeps the space, and until when
SELECT owner, until FROM dreamers WHERE space = :space;

-- dreamers.take: somebody sweeps the space now, unless another came between since `before` was read
INSERT INTO dreamers (space, owner, until) VALUES (:space, :owner, :until)
    ON CONFLICT (space) DO UPDATE SET owner = excluded.owner, until = excluded.until
 WHERE dreamers.owner = :before
RETURNING owner;

-- dreamers.free: let go, if it is still ours
UPDATE dreamers SET owner = '', until = 0 WHERE space = :space AND owner = :owner;
