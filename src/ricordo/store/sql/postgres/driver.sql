-- driver.look: whether the tables are there
SELECT to_regclass(:table) IS NOT NULL;

-- driver.settings: for this transaction alone, since a pooler gives the next one another session; NULL leaves what is set
SELECT set_config('search_path', :schema, true),
       set_config('jit', coalesce(:jit, current_setting('jit')), true),
       set_config('lock_timeout', coalesce(:lock_timeout, current_setting('lock_timeout')), true),
       set_config('idle_in_transaction_session_timeout',
                  coalesce(:idle_timeout, current_setting('idle_in_transaction_session_timeout')), true);

-- driver.durable: the commit waits for the disk, also where the server's default is not to; more is left as it is
SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';

-- driver.hasty: the commit does not wait for the disk
SELECT set_config('synchronous_commit', 'off', true);

-- driver.setting: what holds in this transaction
SELECT current_setting(:name);

-- driver.schemas: whether the schema itself is there
SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = :schema;

-- driver.spread: whether this is Citus, where a table can be spread over servers
SELECT current_setting('citus.version', true) IS NOT NULL;

-- driver.words: the stems of chunks where `words.insert` cannot be used; the rows are written out
INSERT INTO words (space, term, chunk, field) VALUES ROWS;

-- driver.touch: `sessions.touch` without the secret, which cannot be asked for on the way there
INSERT INTO sessions (space, session, created_at, updated_at, head)
VALUES (:space, :session, :at, :at, :head)
    ON CONFLICT (space, session) DO UPDATE SET updated_at = greatest(sessions.updated_at, excluded.updated_at)
RETURNING last_seq, head, events, rewrites;

-- driver.applied: numbers and digests of the migrations these tables have been through
SELECT number, digest FROM migrations;

-- driver.apply: a migration has been applied
INSERT INTO migrations (number, name, digest) VALUES (:number, :name, :digest);

-- driver.migrating: keep others from doing the same work, which the table's key decides; the tables last
SELECT pg_advisory_xact_lock(hashtext(:schema)), set_config('synchronous_commit', 'on', true);

-- driver.unguarded: tables with a space and no row-level security yet
SELECT c.relname
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'space' AND NOT a.attisdropped
 WHERE c.relnamespace = to_regnamespace(:schema) AND c.relkind IN ('r', 'p')
   AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
 ORDER BY c.relname;

-- driver.transaction: by what the server can be asked what became of this transaction
SELECT pg_current_xact_id()::text, pg_postmaster_start_time()::text;

-- driver.outcome: what became of a transaction, and whether this still is the server it was given to
SELECT pg_xact_status(:number::text::xid8), pg_postmaster_start_time()::text;

-- driver.enter: from here on this transaction sees one space and no other; a command, which an engine of many servers passes on
SET LOCAL ricordo.space = 'SPACE';

-- driver.lock: whoever else writes to this space waits for us
SELECT 1 FROM counters WHERE space = :space FOR NO KEY UPDATE;

-- driver.hint: wake those who wait for due work
SELECT pg_notify(:schema, '');

-- driver.spaces: every space, for what is asked in each of them
SELECT space FROM spaces ORDER BY space;

-- driver.each: another query for every value of a list; its rows begin with the place in the list
SELECT asked.place, found.*
  FROM unnest(:list::TYPE[]) WITH ORDINALITY AS asked (value, place) CROSS JOIN LATERAL (QUERY) AS found;

-- driver.tables: what can be vacuumed; partitions go with their table, which has statistics of its own
SELECT c.relname FROM pg_catalog.pg_class c
 WHERE c.relnamespace = to_regnamespace(:schema) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
 ORDER BY c.relname;

-- driver.partitions: in how many a table is cut
SELECT count(*) FROM pg_catalog.pg_inherits WHERE inhparent = to_regclass(:table);

-- driver.size: bytes of all tables and indexes
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
  FROM pg_catalog.pg_class c
 WHERE c.relnamespace = to_regnamespace(:schema) AND c.relkind IN ('r', 'm');

-- driver.broken_indexes: indexes that the server itself does not use
SELECT i.indexrelid::regclass::text
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
 WHERE c.relnamespace = to_regnamespace(:schema) AND NOT (i.indisvalid AND i.indisready);

-- driver.checksums: pages that the server found damaged
SELECT coalesce(sum(checksum_failures), 0)::bigint
  FROM pg_catalog.pg_stat_database WHERE datname = current_database();
