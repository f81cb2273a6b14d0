-- Plans: an index for entries that expire, and statistics for SQLite's planner.
-- Without them it takes a space for ten rows, and reads all of one rather than use the index of an entry.
-- They are the same in every file, and say only that spaces are large and what belongs together is not.

CREATE INDEX entries_expiry ON entries (space, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX entries_category ON entries (space, category, updated_at, id);
DROP INDEX names_entry;
CREATE INDEX names_entry ON names (space, entry, canonical DESC, since, name);

-- For SQLite alone: libSQL's server refuses ANALYZE, and the driver leaves out what follows.
ANALYZE sqlite_schema;
ANALYZE meta;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('entries', 'entries', '1000000 100000 1'),
    ('entries', 'entries_uid', '1000000 100000 1'),
    ('entries', 'entries_recent', '1000000 100000 1 1'),
    ('entries', 'entries_category', '1000000 100000 10000 1 1'),
    ('entries', 'entries_expiry', '10000 1000 1'),
    ('names', 'names', '1000000 100000 1'),
    ('names', 'names_entry', '1000000 100000 2 1 1 1'),
    ('past_names', 'past_names', '100000 10000 2 1 1 1'),
    ('past_names', 'past_names_entry', '100000 10000 2'),
    ('entry_tags', 'entry_tags', '1000000 100000 1000 1'),
    ('entry_tags', 'entry_tags_entry', '1000000 100000 3'),
    ('revisions', 'revisions', '1000000 100000 5 1'),
    ('signals', 'signals', '1000000 100000 1'),
    ('signals', 'signals_entry', '1000000 100000 50 1'),
    ('signals', 'signals_age', '1000000 100000 2'),
    ('chunks', 'chunks_key', '1000000 100000 1'),
    ('chunks', 'chunks_session', '1000000 100000 100 1'),
    ('chunks', 'chunks_entry', '1000000 100000 2'),
    ('chunks', 'chunks_expiry', '10000 1000 1'),
    ('documents', 'documents', '100000 10000 1'),
    ('documents', 'documents_uri', '100000 10000 1'),
    ('retellings', 'retellings', '100000 10000 1'),
    ('retellings', 'retellings_session', '100000 10000 10'),
    ('retellings', 'retellings_unfiled', '100 10 1'),
    ('promotions', 'promotions', '100000 10000 1'),
    ('promotions', 'promotions_sweep', '100000 10000 10'),
    ('workspace_files', 'workspace_files', '1000000 100000 100000 1'),
    ('workspace_files', 'workspace_files_entry', '1000000 100000 1'),
    ('runs', 'runs', '1000000 100000 1'),
    ('runs', 'runs_of', '1000000 100000 100 1 1'),
    ('schedules', 'schedules', '100000 10000 1'),
    ('schedules', 'schedules_due', '10000 1000 1 1'),
    ('schedules', 'schedules_recent', '100000 10000 1 1'),
    ('schedules', 'schedules_name', '100000 10000 1'),
    ('reminders', 'reminders', '100000 10000 1'),
    ('reminders', 'reminders_due', '10000 1000 1 1'),
    ('reminders', 'reminders_cue', '1000 100 1'),
    ('reminders', 'reminders_recent', '100000 10000 1 1');
ANALYZE sqlite_schema;
