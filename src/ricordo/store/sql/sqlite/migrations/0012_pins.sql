-- Pins: entries that stand in every context, entries that are kept and never recalled, and entries whose
-- texts are embedded without their names. The index holds pinned entries alone.
ALTER TABLE entries ADD COLUMN pin INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN mute INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN embed_name INTEGER NOT NULL DEFAULT 1;
CREATE INDEX entries_pinned ON entries (space, created_at, id) WHERE pin = 1;
