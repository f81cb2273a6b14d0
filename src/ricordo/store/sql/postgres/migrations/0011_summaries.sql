-- Earlier summaries: what the rolling summary of a session said before, the last few of them.
CREATE TABLE past_summaries (
    space BIGINT NOT NULL,
    session TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    upto BIGINT NOT NULL,
    text TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '',      -- JSON, '' when none
    at BIGINT NOT NULL,
    seal BYTEA,
    PRIMARY KEY (space, session, epoch),
    FOREIGN KEY (space, session) REFERENCES sessions (space, session)
);
