-- Embedding work: which spaces have some, so that one look finds it among any number of spaces.
-- Model 0: texts were added, whatever models are used. Like `due` it names spaces and times alone.
CREATE TABLE pending (
    space BIGINT NOT NULL REFERENCES spaces (space),
    model BIGINT NOT NULL,                 -- a number of models, or 0
    at BIGINT NOT NULL,                    -- from when on; 0 at once
    PRIMARY KEY (space, model)
);
CREATE INDEX pending_at ON pending (model, at, space);
INSERT INTO pending (space, model, at) SELECT space, 0, 0 FROM spaces WHERE next_chunk > 1;
