-- summaries.get: the rolling summary of a session
SELECT epoch, upto, text, metadata, at FROM summaries WHERE space = :space AND session = :session;

-- summaries.put: the next epoch; the caller has compared the one before
INSERT INTO summaries (space, session, epoch, upto, text, metadata, at, seal)
VALUES (:space, :session, :epoch, :upto, :text, :metadata, :at, :seal)
    ON CONFLICT (space, session) DO UPDATE SET epoch = excluded.epoch, upto = excluded.upto,
       text = excluded.text, metadata = excluded.metadata, at = excluded.at, seal = excluded.seal;

-- summaries.earlier: what the summary of a session said before, oldest first
SELECT epoch, upto, text, metadata, at FROM past_summaries
 WHERE space = :space AND session = :session ORDER BY epoch;

-- summaries.keep: what a summary said before it was replaced
INSERT INTO past_summaries (space, session, epoch, upto, text, metadata, at, seal)
VALUES (:space, :session, :epoch, :upto, :text, :metadata, :at, :seal);

-- summaries.trim: earlier summaries beyond those that are kept
DELETE FROM past_summaries WHERE space = :space AND session = :session AND epoch < :first;

-- summaries.delete_earlier: with its session
DELETE FROM past_summaries WHERE space = :space AND session = :session RETURNING epoch;

-- summaries.delete: with its session
DELETE FROM summaries WHERE space = :space AND session = :session RETURNING epoch;

-- spending.add: tokens were paid for
INSERT INTO spending (space, model, day, calls, tokens_in, tokens_out)
VALUES (:space, :model, :day, :calls, :tokens_in, :tokens_out)
    ON CONFLICT (space, model, day) DO UPDATE SET calls = spending.calls + excluded.calls,
       tokens_in = spending.tokens_in + excluded.tokens_in,
       tokens_out = spending.tokens_out + excluded.tokens_out;

-- spending.list: what each model cost, by model
SELECT model, sum(calls), sum(tokens_in), sum(tokens_out)
  FROM spending WHERE space = :space GROUP BY model ORDER BY model;
