-- The workspace: what entries and files had in common when they were last in step.

CREATE TABLE workspace_files (
    space BIGINT NOT NULL,
    folder TEXT NOT NULL,                   -- '' for the space's own, else the one that was given
    entry BIGINT NOT NULL,
    path TEXT NOT NULL,
    hash BYTEA NOT NULL,                    -- of the file when both were in step; empty before the first time
    state BYTEA NOT NULL,                   -- of the entry then
    intent BYTEA NOT NULL,                  -- of what is being written to the file; empty when nothing is
    synced_at BIGINT NOT NULL,
    PRIMARY KEY (space, folder, entry)
);
CREATE INDEX workspace_files_entry ON workspace_files (space, entry);
