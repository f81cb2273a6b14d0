-- tombstones.put: what has this digest must not come back
INSERT INTO tombstones (space, digest, at, seal) VALUES (:space, :digest, :at, :seal)
    ON CONFLICT (space, digest) DO NOTHING;

-- tombstones.holds: whether something of this digest was erased
SELECT 1 FROM tombstones WHERE space = :space AND digest = :digest;

-- tombstones.erased: when something was erased, newest first
SELECT at, count(*) FROM tombstones WHERE space = :space GROUP BY at ORDER BY at DESC LIMIT :limit;

-- erasures.open: rows were deleted whose bytes may still stand in the file
INSERT INTO erasures (space, id, at, files, seal) VALUES (:space, :id, :at, :files, :seal);

-- erasures.pending: those not yet known to be physical
SELECT id, files FROM erasures WHERE space = :space ORDER BY id;

-- erasures.filed: the files are gone, and so are their names
UPDATE erasures SET files = :files, seal = :seal WHERE space = :space AND id = :id;

-- erasures.close: the bytes are gone
DELETE FROM erasures WHERE space = :space AND id = :id;
