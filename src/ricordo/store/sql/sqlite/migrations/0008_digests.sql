-- Seals: a short digest beside what stands in one place only, so that a flipped bit in it shows.
-- What a seal covers is said in store/seals.py. NULL: the row is older than this and is not checked.

ALTER TABLE spaces ADD COLUMN seal BLOB;
ALTER TABLE entries ADD COLUMN seal BLOB;
ALTER TABLE names ADD COLUMN seal BLOB;
ALTER TABLE revisions ADD COLUMN seal BLOB;
ALTER TABLE summaries ADD COLUMN seal BLOB;
ALTER TABLE scratchpads ADD COLUMN seal BLOB;
ALTER TABLE retellings ADD COLUMN seal BLOB;
ALTER TABLE documents ADD COLUMN seal BLOB;
ALTER TABLE signals ADD COLUMN seal BLOB;
ALTER TABLE schedules ADD COLUMN seal BLOB;
ALTER TABLE runs ADD COLUMN seal BLOB;
ALTER TABLE reminders ADD COLUMN seal BLOB;
ALTER TABLE sweeps ADD COLUMN seal BLOB;
ALTER TABLE promotions ADD COLUMN seal BLOB;
ALTER TABLE workspace_files ADD COLUMN seal BLOB;
ALTER TABLE successions ADD COLUMN seal BLOB;
ALTER TABLE macros ADD COLUMN seal BLOB;
ALTER TABLE approvals ADD COLUMN seal BLOB;
ALTER TABLE tombstones ADD COLUMN seal BLOB;
ALTER TABLE outbox ADD COLUMN seal BLOB;
ALTER TABLE erasures ADD COLUMN seal BLOB;
