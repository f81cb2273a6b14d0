-- Seals: a short digest beside what stands in one place only, so that a flipped bit in it shows.
-- What a seal covers is said in store/seals.py. NULL: the row is older than this and is not checked.

ALTER TABLE spaces ADD COLUMN seal BYTEA;
ALTER TABLE entries ADD COLUMN seal BYTEA;
ALTER TABLE names ADD COLUMN seal BYTEA;
ALTER TABLE revisions ADD COLUMN seal BYTEA;
ALTER TABLE summaries ADD COLUMN seal BYTEA;
ALTER TABLE scratchpads ADD COLUMN seal BYTEA;
ALTER TABLE retellings ADD COLUMN seal BYTEA;
ALTER TABLE documents ADD COLUMN seal BYTEA;
ALTER TABLE signals ADD COLUMN seal BYTEA;
ALTER TABLE schedules ADD COLUMN seal BYTEA;
ALTER TABLE runs ADD COLUMN seal BYTEA;
ALTER TABLE reminders ADD COLUMN seal BYTEA;
ALTER TABLE sweeps ADD COLUMN seal BYTEA;
ALTER TABLE promotions ADD COLUMN seal BYTEA;
ALTER TABLE workspace_files ADD COLUMN seal BYTEA;
ALTER TABLE successions ADD COLUMN seal BYTEA;
ALTER TABLE macros ADD COLUMN seal BYTEA;
ALTER TABLE approvals ADD COLUMN seal BYTEA;
ALTER TABLE tombstones ADD COLUMN seal BYTEA;
ALTER TABLE outbox ADD COLUMN seal BYTEA;
ALTER TABLE erasures ADD COLUMN seal BYTEA;
