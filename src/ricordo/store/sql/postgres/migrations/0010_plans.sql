-- Plans: an index for entries that expire, and one for the entries of a category in order of their writing.

CREATE INDEX entries_expiry ON entries (space, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX entries_category ON entries (space, category, updated_at, id);
DROP INDEX names_entry;
CREATE INDEX names_entry ON names (space, entry, canonical DESC, since, name);
