-- Metadata: its values one by one, by key, so that `where` finds them. Derived from the rows that hold the metadata.
-- `number` is 0 for what is not a number, `text` is '' for what is not a text or has no further digits.
CREATE TABLE entry_values (
    space BIGINT NOT NULL,
    key TEXT NOT NULL,                      -- user.name for what an inner object holds
    type TEXT NOT NULL,                     -- text, number, boolean, null or object
    number DOUBLE PRECISION NOT NULL,
    text TEXT NOT NULL,
    entry BIGINT NOT NULL,                  -- of an entry or a document
    PRIMARY KEY (space, key, type, number, text, entry)
);
CREATE INDEX entry_values_entry ON entry_values (space, entry);

CREATE TABLE event_values (
    space BIGINT NOT NULL,
    key TEXT NOT NULL,
    type TEXT NOT NULL,
    number DOUBLE PRECISION NOT NULL,
    text TEXT NOT NULL,
    session TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (space, key, type, number, text, session, seq)
);
CREATE INDEX event_values_event ON event_values (space, session, seq);

WITH RECURSIVE held (space, entry, key, value) AS (
    SELECT o.space, o.id, j.key, j.value
      FROM (SELECT space, id, metadata FROM entries WHERE metadata NOT IN ('', '{}')
             UNION ALL
            SELECT space, id, metadata FROM documents WHERE metadata NOT IN ('', '{}')) AS o,
           jsonb_each(o.metadata::jsonb) AS j
     UNION ALL
    SELECT h.space, h.entry, j.key, j.value
      FROM held AS h,
           LATERAL (SELECT h.key || '.' || i.key, i.value
                      FROM jsonb_each(CASE jsonb_typeof(h.value) WHEN 'object' THEN h.value ELSE '{}' END) AS i
                     UNION ALL
                    SELECT h.key, i.value
                      FROM jsonb_array_elements(CASE jsonb_typeof(h.value) WHEN 'array' THEN h.value ELSE '[]' END)
                           AS i (value)) AS j (key, value)
)
INSERT INTO entry_values (space, key, type, number, text, entry)
SELECT space, key,
       CASE jsonb_typeof(value) WHEN 'string' THEN 'text' WHEN 'array' THEN 'object' ELSE jsonb_typeof(value) END,
       CASE WHEN value = 'true' THEN 1
            WHEN jsonb_typeof(value) <> 'number' THEN 0
            WHEN abs((value #>> '{}')::numeric) < 1e300 THEN (value #>> '{}')::double precision
            ELSE sign((value #>> '{}')::numeric)::double precision * 1.7976931348623157e308 END,
       CASE WHEN jsonb_typeof(value) = 'string' THEN left(value #>> '{}', 257)
            WHEN jsonb_typeof(value) = 'number' AND (value #>> '{}')::numeric >= 9007199254740992
                 AND (value #>> '{}')::numeric < 1e300 THEN trunc((value #>> '{}')::numeric)::text
            ELSE '' END,
       entry
  FROM held WHERE key <> '' AND length(key) <= 128
    ON CONFLICT DO NOTHING;

WITH RECURSIVE held (space, session, seq, key, value) AS (
    SELECT e.space, e.session, e.seq, j.key, j.value
      FROM (SELECT space, session, seq, body FROM events WHERE strpos(body, '"metadata":') > 0) AS e,
           jsonb_each(CASE jsonb_typeof(e.body::jsonb -> 'metadata') WHEN 'object' THEN e.body::jsonb -> 'metadata'
                      ELSE '{}' END) AS j
     UNION ALL
    SELECT h.space, h.session, h.seq, j.key, j.value
      FROM held AS h,
           LATERAL (SELECT h.key || '.' || i.key, i.value
                      FROM jsonb_each(CASE jsonb_typeof(h.value) WHEN 'object' THEN h.value ELSE '{}' END) AS i
                     UNION ALL
                    SELECT h.key, i.value
                      FROM jsonb_array_elements(CASE jsonb_typeof(h.value) WHEN 'array' THEN h.value ELSE '[]' END)
                           AS i (value)) AS j (key, value)
)
INSERT INTO event_values (space, key, type, number, text, session, seq)
SELECT space, key,
       CASE jsonb_typeof(value) WHEN 'string' THEN 'text' WHEN 'array' THEN 'object' ELSE jsonb_typeof(value) END,
       CASE WHEN value = 'true' THEN 1
            WHEN jsonb_typeof(value) <> 'number' THEN 0
            WHEN abs((value #>> '{}')::numeric) < 1e300 THEN (value #>> '{}')::double precision
            ELSE sign((value #>> '{}')::numeric)::double precision * 1.7976931348623157e308 END,
       CASE WHEN jsonb_typeof(value) = 'string' THEN left(value #>> '{}', 257)
            WHEN jsonb_typeof(value) = 'number' AND (value #>> '{}')::numeric >= 9007199254740992
                 AND (value #>> '{}')::numeric < 1e300 THEN trunc((value #>> '{}')::numeric)::text
            ELSE '' END,
       session, seq
  FROM held WHERE key <> '' AND length(key) <= 128
    ON CONFLICT DO NOTHING;
