-- tombstones.put: what has this digest must not come back
INSERT INTO tombstones (space, digest, at) VALUES (:space, :digest, :at)
    ON CONFLICT (space, digest) DO NOTHING;

-- tombstones.holds: whether something of this digest was erased
SELECT 1 FROM tombstones WHERE space = :space AND digest = :digest;

-- erasures.open: rows were deleted whose bytes may still stand in the file
INSERT INTO erasures (space, id, at, files) VALUES (:space, :id, :at, :files);

-- erasures.pending: those not yet known to be physical
SELECT id, files FROM erasures WHERE space = :space ORDER BY id;

-- erasures.filed: the files are gone, and so are their names
UPDATE erasures SET files = '[]' WHERE space = :space AND files <> '[]';

-- erasures.close: the bytes are gone
DELETE FROM erasures WHERE space = :space AND id = :id;
