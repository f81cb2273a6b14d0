-- Metadata: its values one by one, by key, so that `where` finds them. Derived from the rows that hold the metadata.
-- `number` is 0 for what is not a number, `text` is '' for what is not a text or has no further digits.
CREATE TABLE entry_values (
    space INTEGER NOT NULL,
    key TEXT NOT NULL,                      -- user.name for what an inner object holds
    type TEXT NOT NULL,                     -- text, number, boolean, null or object
    number REAL NOT NULL,
    text TEXT NOT NULL,
    entry INTEGER NOT NULL,                 -- of an entry or a document
    PRIMARY KEY (space, key, type, number, text, entry)
) WITHOUT ROWID;
CREATE INDEX entry_values_entry ON entry_values (space, entry);

CREATE TABLE event_values (
    space INTEGER NOT NULL,
    key TEXT NOT NULL,
    type TEXT NOT NULL,
    number REAL NOT NULL,
    text TEXT NOT NULL,
    session TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (space, key, type, number, text, session, seq)
) WITHOUT ROWID;
CREATE INDEX event_values_event ON event_values (space, session, seq);

WITH RECURSIVE held (space, entry, key, type, value) AS (
    SELECT o.space, o.id, j.key, j.type, j.value
      FROM (SELECT space, id, metadata FROM entries WHERE metadata NOT IN ('', '{}') AND json_valid(metadata)
             UNION ALL
            SELECT space, id, metadata FROM documents WHERE metadata NOT IN ('', '{}') AND json_valid(metadata)) AS o,
           json_each(o.metadata) AS j
     UNION ALL
    SELECT h.space, h.entry, CASE h.type WHEN 'object' THEN h.key || '.' || j.key ELSE h.key END, j.type, j.value
      FROM held AS h, json_each(CASE WHEN h.type IN ('object', 'array') THEN h.value ELSE '[]' END) AS j
     WHERE h.type IN ('object', 'array')
)
INSERT OR IGNORE INTO entry_values (space, key, type, number, text, entry)
SELECT space, key,
       CASE type WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'boolean'
                 WHEN 'false' THEN 'boolean' WHEN 'array' THEN 'object' ELSE type END,
       CASE WHEN type IN ('integer', 'real') THEN min(max(value + 0.0, -1.7976931348623157e308), 1.7976931348623157e308)
            WHEN type = 'true' THEN 1.0 ELSE 0.0 END,
       CASE WHEN type = 'text' THEN substr(value, 1, 257)
            WHEN type = 'integer' AND typeof(value) = 'integer' AND value >= 9007199254740992 THEN '' || value
            ELSE '' END,
       entry
  FROM held WHERE key <> '' AND length(key) <= 128;

WITH RECURSIVE held (space, session, seq, key, type, value) AS (
    SELECT e.space, e.session, e.seq, j.key, j.type, j.value
      FROM (SELECT space, session, seq, body FROM events WHERE instr(body, '"metadata":') > 0 AND json_valid(body)) AS e,
           json_each(e.body, '$.metadata') AS j
     UNION ALL
    SELECT h.space, h.session, h.seq, CASE h.type WHEN 'object' THEN h.key || '.' || j.key ELSE h.key END, j.type, j.value
      FROM held AS h, json_each(CASE WHEN h.type IN ('object', 'array') THEN h.value ELSE '[]' END) AS j
     WHERE h.type IN ('object', 'array')
)
INSERT OR IGNORE INTO event_values (space, key, type, number, text, session, seq)
SELECT space, key,
       CASE type WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'boolean'
                 WHEN 'false' THEN 'boolean' WHEN 'array' THEN 'object' ELSE type END,
       CASE WHEN type IN ('integer', 'real') THEN min(max(value + 0.0, -1.7976931348623157e308), 1.7976931348623157e308)
            WHEN type = 'true' THEN 1.0 ELSE 0.0 END,
       CASE WHEN type = 'text' THEN substr(value, 1, 257)
            WHEN type = 'integer' AND typeof(value) = 'integer' AND value >= 9007199254740992 THEN '' || value
            ELSE '' END,
       session, seq
  FROM held WHERE key <> '' AND length(key) <= 128;

-- For SQLite alone: libSQL's server refuses ANALYZE, and the driver leaves out what follows.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('entry_values', 'entry_values', '1000000 100000 10000 10000 100 100 1'),
    ('entry_values', 'entry_values_entry', '1000000 100000 5'),
    ('event_values', 'event_values', '1000000 100000 10000 10000 100 100 2 1'),
    ('event_values', 'event_values_event', '1000000 100000 100 5');
ANALYZE sqlite_schema;
