-- Earlier summaries: what the rolling summary of a session said before, the last few of them.
CREATE TABLE past_summaries (
    space INTEGER NOT NULL,
    session TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    text TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '',      -- JSON, '' when none
    at INTEGER NOT NULL,
    seal BLOB,
    PRIMARY KEY (space, session, epoch),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
) WITHOUT ROWID;
