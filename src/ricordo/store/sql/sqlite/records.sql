-- records.among: the records of some keys, expired or not
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM json_each(:keys) AS a CROSS JOIN records r
    ON r.space = :space AND r.path = a.value ->> 0 AND r.key = a.value ->> 1;

-- records.of: the records of some numbers
SELECT r.path, r.key, r.id, r.revision, r.created_at, r.updated_at, r.expires_at, r.ttl, r.origin, r.texts, r.metadata,
       CASE WHEN :values = 1 THEN r.value END AS value, CASE WHEN :values = 1 THEN r.bytes END AS bytes
  FROM json_each(:ids) AS a CROSS JOIN records r ON r.space = :space AND r.id = a.value
 WHERE r.expires_at IS NULL OR r.expires_at > :now;

-- records.places: where the records of some numbers stand
SELECT r.path, r.key, r.id, r.updated_at
  FROM json_each(:ids) AS a CROSS JOIN records r ON r.space = :space AND r.id = a.value
 WHERE r.path >= :prefix AND r.path < :beyond AND (r.expires_at IS NULL OR r.expires_at > :now);
