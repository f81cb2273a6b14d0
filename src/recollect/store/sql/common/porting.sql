-- porting.adopt: a new entry takes over the identity and the times of the one it was made from
UPDATE entries SET uid = :uid, created_at = :created_at, since = :since
 WHERE space = :space AND id = :id;

-- porting.adopt_names: its names have been in use as long
UPDATE names SET since = :since WHERE space = :space AND entry = :entry;

-- porting.log: which events a session has
SELECT uid FROM events WHERE space = :space AND session = :session ORDER BY seq;

-- porting.entries: every entry, in order
SELECT id FROM entries WHERE space = :space ORDER BY id;
