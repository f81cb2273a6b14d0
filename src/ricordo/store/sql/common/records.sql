-- records.get: the record of a key, unless it has expired
SELECT path, key, id, revision, created_at, updated_at, expires_at, ttl, origin, texts, metadata, value, bytes
  FROM records
 WHERE space = :space AND path = :path AND key = :key AND (expires_at IS NULL OR expires_at > :now);

-- records.put: a new record, or what it says now; its number and when it was made stay
INSERT INTO records (space, path, key, id, revision, created_at, updated_at, expires_at, ttl, origin, texts, metadata,
                     value, bytes, seal)
VALUES (:space, :path, :key, :id, :revision, :created_at, :updated_at, :expires_at, :ttl, :origin, :texts, :metadata,
        :value, :bytes, :seal)
    ON CONFLICT (space, path, key) DO UPDATE SET revision = excluded.revision,
       updated_at = excluded.updated_at, expires_at = excluded.expires_at,
       ttl = excluded.ttl, origin = excluded.origin, texts = excluded.texts, metadata = excluded.metadata,
       value = excluded.value, bytes = excluded.bytes, seal = excluded.seal;

-- records.touch: it expires later; nothing else changes
UPDATE records SET expires_at = :expires_at, ttl = :ttl WHERE space = :space AND id = :id;

-- records.delete: the row itself; its chunks and values go before it
DELETE FROM records WHERE space = :space AND id = :id;

-- records.by_key: records below a path, by path and key; `beyond` is the first path that is not below it
SELECT path, key, id, revision, created_at, updated_at, expires_at, ttl, origin, texts, metadata,
       CASE WHEN :values = 1 THEN value END AS value, CASE WHEN :values = 1 THEN bytes END AS bytes
  FROM records
 WHERE space = :space AND path >= :prefix AND path < :beyond AND (expires_at IS NULL OR expires_at > :now)
 ORDER BY path, key LIMIT :limit OFFSET :offset;

-- records.by_key_backwards: likewise, the last ones first
SELECT path, key, id, revision, created_at, updated_at, expires_at, ttl, origin, texts, metadata,
       CASE WHEN :values = 1 THEN value END AS value, CASE WHEN :values = 1 THEN bytes END AS bytes
  FROM records
 WHERE space = :space AND path >= :prefix AND path < :beyond AND (expires_at IS NULL OR expires_at > :now)
 ORDER BY path DESC, key DESC LIMIT :limit OFFSET :offset;

-- records.of_first_paths: the records of the first paths below a path, by path and key
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM records r
 WHERE r.space = :space AND (r.expires_at IS NULL OR r.expires_at > :now)
   AND r.path IN (SELECT DISTINCT f.path FROM records f
                   WHERE f.space = :space AND f.path >= :prefix AND f.path < :beyond
                     AND (f.expires_at IS NULL OR f.expires_at > :now)
                   ORDER BY f.path LIMIT :paths)
 ORDER BY r.path, r.key LIMIT :limit OFFSET :offset;

-- records.of_last_paths: likewise of the last paths, the last ones first
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM records r
 WHERE r.space = :space AND (r.expires_at IS NULL OR r.expires_at > :now)
   AND r.path IN (SELECT DISTINCT f.path FROM records f
                   WHERE f.space = :space AND f.path >= :prefix AND f.path < :beyond
                     AND (f.expires_at IS NULL OR f.expires_at > :now)
                   ORDER BY f.path DESC LIMIT :paths)
 ORDER BY r.path DESC, r.key DESC LIMIT :limit OFFSET :offset;

-- records.oldest: likewise, as they were written
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM (SELECT o.id FROM records o
         WHERE o.space = :space AND o.path >= :prefix AND o.path < :beyond
           AND (o.expires_at IS NULL OR o.expires_at > :now)
         ORDER BY o.updated_at, o.id LIMIT :limit OFFSET :offset) AS p
 CROSS JOIN records r
 WHERE r.space = :space AND r.id = p.id
 ORDER BY r.updated_at, r.id;

-- records.newest: likewise, the last written first
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM (SELECT o.id FROM records o
         WHERE o.space = :space AND o.path >= :prefix AND o.path < :beyond
           AND (o.expires_at IS NULL OR o.expires_at > :now)
         ORDER BY o.updated_at DESC, o.id DESC LIMIT :limit OFFSET :offset) AS p
 CROSS JOIN records r
 WHERE r.space = :space AND r.id = p.id
 ORDER BY r.updated_at DESC, r.id DESC;

-- records.below: the places of the records below a path, for a choice among them
SELECT path, key, id, updated_at FROM records
 WHERE space = :space AND path >= :prefix AND path < :beyond AND (expires_at IS NULL OR expires_at > :now);

-- records.numbers: the numbers of the records below a path
SELECT id FROM records
 WHERE space = :space AND path >= :prefix AND path < :beyond AND (expires_at IS NULL OR expires_at > :now);

-- records.paths: every path below a path that holds a record, from one to the next
WITH RECURSIVE steps (path) AS (
    SELECT (SELECT min(f.path) FROM records f WHERE f.space = :space AND f.path >= :prefix AND f.path < :beyond)
     UNION ALL
    SELECT (SELECT min(n.path) FROM records n WHERE n.space = :space AND n.path > s.path AND n.path < :beyond)
      FROM steps s WHERE s.path IS NOT NULL)
SELECT s.path FROM steps s
 WHERE s.path IS NOT NULL
   AND (SELECT 1 FROM records r WHERE r.space = :space AND r.path = s.path
           AND (r.expires_at IS NULL OR r.expires_at > :now) LIMIT 1) = 1;

-- records.expired: records whose time is over
SELECT id FROM records WHERE space = :space AND expires_at IS NOT NULL AND expires_at <= :before
 ORDER BY expires_at, id LIMIT :limit;

-- records.all: every record of a space by path and key, expired or not
SELECT path, key, id, revision, created_at, updated_at, expires_at, ttl, origin, texts, metadata, value, bytes
  FROM records WHERE space = :space ORDER BY path, key;

-- records.some: some records, by number
SELECT id FROM records WHERE space = :space ORDER BY id LIMIT :limit;

-- record_revisions.insert: what a record said before a put
INSERT INTO record_revisions (space, record, revision, updated_at, until, origin, texts, metadata, value, bytes, seal)
VALUES (:space, :record, :revision, :updated_at, :until, :origin, :texts, :metadata, :value, :bytes, :seal);

-- record_revisions.list: what a record said before, the first one first
SELECT record, revision, updated_at, until, origin, texts, metadata, value, bytes
  FROM record_revisions WHERE space = :space AND record = :record ORDER BY revision;

-- record_revisions.delete: with their record
DELETE FROM record_revisions WHERE space = :space AND record = :record;

-- record_revisions.old: what records said until long ago
SELECT record, revision FROM record_revisions WHERE space = :space AND until < :before
 ORDER BY record, revision LIMIT :limit;

-- record_revisions.drop: one of them goes
DELETE FROM record_revisions WHERE space = :space AND record = :record AND revision = :revision;

-- records.count: how many records there are below a path, and how many of them have texts
SELECT count(*), count(*) FILTER (WHERE texts <> '[]') FROM records
 WHERE space = :space AND path >= :prefix AND path < :beyond;

-- records.indexed: those that have texts
SELECT id FROM records WHERE space = :space AND path >= :prefix AND path < :beyond AND texts <> '[]';

-- records.delete_values: what conditions find the records below a path by; bytes alone say nothing
DELETE FROM entry_values WHERE space = :space AND entry IN (
    SELECT r.id FROM records r WHERE r.space = :space AND r.path >= :prefix AND r.path < :beyond
       AND (r.metadata <> '' OR r.value IS NOT NULL));

-- records.delete_revisions: what they said before
DELETE FROM record_revisions WHERE space = :space AND record IN (
    SELECT r.id FROM records r WHERE r.space = :space AND r.path >= :prefix AND r.path < :beyond);

-- records.delete_below: the records themselves
DELETE FROM records WHERE space = :space AND path >= :prefix AND path < :beyond;

-- records.begin: whether the bytes of a record begin so, or did so before
SELECT 1 FROM records r WHERE r.space = :space AND substr(r.bytes, 1, :size) = :beginning
 UNION
SELECT 1 FROM record_revisions v WHERE v.space = :space AND substr(v.bytes, 1, :size) = :beginning;
