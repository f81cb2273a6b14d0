-- records.among: the records of some keys, expired or not
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM (SELECT a.value ->> 0 AS path, a.value ->> 1 AS key FROM jsonb_array_elements(:keys::jsonb) AS a (value)) AS k
  JOIN records r ON r.space = :space AND r.path = k.path AND r.key = k.key;

-- records.of: the records of some numbers
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM records r
 WHERE r.space = :space AND r.id = ANY (
       ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(:ids::jsonb) AS value))
   AND (r.expires_at IS NULL OR r.expires_at > :now);

-- records.places: where the records of some numbers stand
SELECT r.path, r.key, r.id, r.updated_at
  FROM records r
 WHERE r.space = :space AND r.id = ANY (
       ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(:ids::jsonb) AS value))
   AND r.path >= :prefix AND r.path < :beyond AND (r.expires_at IS NULL OR r.expires_at > :now);
