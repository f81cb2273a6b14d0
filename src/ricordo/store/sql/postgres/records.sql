-- records.among: the records of some keys, expired or not
SELECT f.path, f.key, f.id, f.revision, f.created_at, f.updated_at, f.expires_at, f.ttl, f.origin, f.texts, f.metadata,
       f.value, f.bytes
  FROM jsonb_array_elements(:keys::jsonb) AS a (value)
 CROSS JOIN LATERAL (
       SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts,
              r.metadata, CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
         FROM records r WHERE r.space = :space AND r.path = a.value ->> 0 AND r.key = a.value ->> 1 LIMIT 1) AS f;

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
