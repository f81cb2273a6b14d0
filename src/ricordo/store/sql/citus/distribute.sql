-- Spread a memory over the nodes of a Citus cluster: run once after its first write, by the role that owns it.
--
--   psql "$SERVER" -c 'SET search_path TO ricordo' -f distribute.sql
--
-- Run it again after an update of ricordo that brings new tables; what is spread already stays as it is. It is one
-- transaction. Close the memory in every process first, and open it again afterwards: a setting of the role changes.

DO $$
DECLARE
    known CONSTANT text[] := ARRAY['meta', 'spaces', 'models', 'migrations'];  -- whole on every node
    keys text[];
    one record;
BEGIN
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    -- A transaction tells the node it works on which space it has entered; row-level security there asks for it.
    IF current_setting('citus.propagate_set_commands') <> 'local' THEN
        EXECUTE format('ALTER ROLE %I IN DATABASE %I SET citus.propagate_set_commands = %L',
                       current_user, current_database(), 'local');
    END IF;

    -- No order of the tables suits all references between them: they are taken off and put back.
    SELECT array_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s',
                            c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)))
      INTO keys
      FROM pg_constraint c
     WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace
       AND c.conrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE partmethod = 'h');
    FOR one IN
        SELECT c.conrelid::regclass AS name, c.conname AS key
          FROM pg_constraint c
         WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace
           AND c.conrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE partmethod = 'h')
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.name, one.key);
    END LOOP;

    FOR one IN
        SELECT c.oid::regclass AS name, c.relname::text AS bare, c.relrowsecurity AS is_guarded
          FROM pg_class c
         WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
           AND c.oid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE partmethod = 'h' OR repmodel = 't')
         ORDER BY c.relname <> 'sessions', c.relname
    LOOP
        IF one.bare = ANY (known) THEN
            PERFORM create_reference_table(one.name::text);
            CONTINUE;
        END IF;
        -- Rows that are there move along only if the owner can see them.
        IF one.is_guarded THEN
            EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', one.name);
        END IF;
        PERFORM create_distributed_table(one.name::text, 'space', 'hash',
            CASE one.bare WHEN 'sessions' THEN 'none' ELSE current_schema() || '.sessions' END);
        IF one.is_guarded THEN
            EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', one.name);
        END IF;
    END LOOP;

    FOR one IN SELECT unnest(keys) AS command LOOP
        EXECUTE one.command;
    END LOOP;
END
$$;
