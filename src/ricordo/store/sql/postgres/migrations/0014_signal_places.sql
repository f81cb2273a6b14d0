-- Signals say in which session they were asked, and after which of its events; NULL outside of one.
ALTER TABLE signals ADD COLUMN session TEXT COLLATE "C";
ALTER TABLE signals ADD COLUMN seq BIGINT;
CREATE INDEX signals_session ON signals (space, session) WHERE session IS NOT NULL;
