-- pending.mark: a space has new texts, whatever models are used
INSERT INTO pending (space, model, at) VALUES (:space, 0, 0) ON CONFLICT DO NOTHING;

-- pending.mark_all: every space may have texts for a model that is new here
INSERT INTO pending (space, model, at)
SELECT c.space, 0, 0 FROM counters c WHERE c.next_chunk > 1 ON CONFLICT DO NOTHING;

-- pending.look: spaces with work for a model by now; what is put off by hours is from a wrong clock
SELECT p.space, s.name, c.next_chunk - 1 AS last_chunk
  FROM pending p JOIN spaces s ON s.space = p.space JOIN counters c ON c.space = p.space
 WHERE p.model = :model AND (p.at <= :now OR p.at > :now + 7200000000)
 ORDER BY p.at, p.space LIMIT :limit;

-- pending.after: when a model has work that it does not have yet
SELECT at FROM pending WHERE model = :model AND at > 0 ORDER BY at LIMIT 1;

-- pending.put: a space has work for a model from `at` on
INSERT INTO pending (space, model, at) VALUES (:space, :model, :at)
    ON CONFLICT (space, model) DO UPDATE SET at = excluded.at;

-- pending.delete: it has none
DELETE FROM pending WHERE space = :space AND model = :model;

-- pending.listed: what the table of embedding work says of a space
SELECT model, at FROM pending WHERE space = :space AND model >= 0 ORDER BY model;
