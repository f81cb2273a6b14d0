-- porting.adopt: a new entry takes over the identity and the times of the one it was made from
UPDATE entries SET uid = :uid, created_at = :created_at, since = :since, seal = :seal
 WHERE space = :space AND id = :id;

-- porting.adopt_name: its name has been in use as long
UPDATE names SET since = :since, seal = :seal WHERE space = :space AND name = :name;

-- porting.log: which events a session has
SELECT uid FROM events WHERE space = :space AND session = :session ORDER BY seq;

-- porting.entries: every entry, in order
SELECT id FROM entries WHERE space = :space ORDER BY id;
