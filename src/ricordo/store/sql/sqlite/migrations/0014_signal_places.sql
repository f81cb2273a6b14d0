-- Signals say in which session they were asked, and after which of its events; NULL outside of one.
ALTER TABLE signals ADD COLUMN session TEXT;
ALTER TABLE signals ADD COLUMN seq INTEGER;
CREATE INDEX signals_session ON signals (space, session) WHERE session IS NOT NULL;
