-- upkeep.signals: expired signals, oldest first
SELECT signal FROM signals WHERE space = :space AND at < :before ORDER BY at, signal LIMIT :limit;

-- upkeep.drop_signal: one of them goes
DELETE FROM signals WHERE space = :space AND signal = :signal;

-- upkeep.asked: what every signal was a recall for
SELECT signal, query FROM signals WHERE space = :space ORDER BY signal;

-- upkeep.revisions: what entries said until long ago
SELECT entry, number FROM revisions WHERE space = :space AND until < :before
 ORDER BY entry, number LIMIT :limit;

-- upkeep.drop_revision: one of them goes
DELETE FROM revisions WHERE space = :space AND entry = :entry AND number = :number;

-- upkeep.past_names: names that led to an entry until long ago
SELECT name, entry, since, until FROM past_names WHERE space = :space AND until < :before
 ORDER BY name, entry, since LIMIT :limit;

-- upkeep.drop_past_name: one of them goes
DELETE FROM past_names
 WHERE space = :space AND name = :name AND entry = :entry AND since = :since AND until = :until;

-- upkeep.expired: expired entries
SELECT id FROM entries WHERE space = :space AND expires_at IS NOT NULL AND expires_at <= :before
 ORDER BY id LIMIT :limit;

-- upkeep.daily: entries of the daily drawer that nobody has written to for long
SELECT id FROM entries WHERE space = :space AND category = 'daily' AND updated_at < :before
 ORDER BY updated_at, id LIMIT :limit;

-- upkeep.consolidated: consolidated and expired events that are in no archive, in order
SELECT c.session, c.seq
  FROM consolidations c
  JOIN events v ON v.space = :space AND v.session = c.session AND v.seq = c.seq
 WHERE c.space = :space AND v.at < :before
   AND NOT EXISTS (
       SELECT 1 FROM retellings r
         JOIN entries e ON e.space = :space AND e.id = r.entry AND e.kind = 'archive'
        WHERE r.space = :space AND r.session = c.session AND c.seq BETWEEN r.first_seq AND r.last_seq)
 ORDER BY c.session, c.seq LIMIT :limit;

-- upkeep.runs: runs beyond the newest of their schedule
SELECT r.id FROM runs r
 WHERE r.space = :space
   AND :keep <= (SELECT count(*) FROM runs n
                  WHERE n.space = :space AND n.schedule = r.schedule
                    AND (n.started_at > r.started_at OR n.started_at = r.started_at AND n.id > r.id))
 ORDER BY r.id LIMIT :limit;

-- upkeep.drop_run: one of them goes
DELETE FROM runs WHERE space = :space AND id = :id;

-- gaps.insert: an event leaves the log, and what the hash chain needs of it stays
INSERT INTO gaps (space, session, seq, digest, link)
SELECT v.space, v.session, v.seq, v.digest, v.link FROM events v
 WHERE v.space = :space AND v.session = :session AND v.seq = :seq
    ON CONFLICT (space, session, seq) DO NOTHING;

-- gaps.put: a place of the log that stays empty
INSERT INTO gaps (space, session, seq, digest, link) VALUES (:space, :session, :seq, :digest, :link);

-- gaps.list: what is left of the events that went, in order
SELECT seq, digest, link FROM gaps WHERE space = :space AND session = :session ORDER BY seq;

-- gaps.one: what is left of one of them
SELECT seq, digest, link FROM gaps WHERE space = :space AND session = :session AND seq = :seq;

-- gaps.holds: whether an event of this seq was taken out
SELECT 1 FROM gaps WHERE space = :space AND session = :session AND seq = :seq;

-- gaps.delete: with their session
DELETE FROM gaps WHERE space = :space AND session = :session;

-- upkeep.drop_mark: the mark that an event was consolidated
DELETE FROM consolidations WHERE space = :space AND session = :session AND seq = :seq;

-- upkeep.drop_event: the row itself; its mark, chunks and gap are seen to before
DELETE FROM events WHERE space = :space AND session = :session AND seq = :seq;

-- upkeep.spoken: chunks that an event may be the first or the last to say
SELECT row, chunk, seq_start, seq_end, hash, words, at FROM chunks
 WHERE space = :space AND session = :session AND (seq_start = :seq OR seq_end = :seq);

-- upkeep.spoken_from: chunks of a session that an event from a seq on says
SELECT row, chunk, seq_start, seq_end, hash, words, at FROM chunks
 WHERE space = :space AND session = :session AND seq_end >= :seq;

-- upkeep.move_chunk: other events say it, from `seq_start` to `seq_end`
UPDATE chunks SET seq_start = :seq_start, seq_end = :seq_end WHERE space = :space AND chunk = :chunk;

-- upkeep.drop_chunk: a chunk without a source
DELETE FROM chunks WHERE space = :space AND chunk = :chunk;

-- upkeep.from_source: entries whose source begins so
SELECT id, metadata FROM entries
 WHERE space = :space AND substr(source, 1, length(:prefix)) = :prefix ORDER BY id;

-- upkeep.revisions_from: what other entries said before by that source
SELECT entry, number, content FROM revisions
 WHERE space = :space AND substr(source, 1, length(:prefix)) = :prefix ORDER BY entry, number;

-- upkeep.entry_ids: some entries, in order
SELECT id FROM entries WHERE space = :space ORDER BY id LIMIT :limit;

-- upkeep.vectors: the vectors of a chunk under every model
SELECT vector FROM embeddings
 WHERE space = :space AND chunk = :chunk AND model IN (SELECT m.model FROM models m);

-- upkeep.reminders_of: reminders that were made in a session
SELECT id FROM reminders WHERE space = :space AND session = :session ORDER BY id;

-- upkeep.chunks_of: the chunks of a session
SELECT chunk FROM chunks WHERE space = :space AND session = :session ORDER BY chunk;

-- empty.signals: everything that was ever asked, for the texts to be looked for; so below
DELETE FROM signals WHERE space = :space RETURNING query;

-- empty.runs: what schedules brought
DELETE FROM runs WHERE space = :space RETURNING output;

-- empty.schedules: every schedule
DELETE FROM schedules WHERE space = :space RETURNING goal;

-- empty.reminders: every reminder
DELETE FROM reminders WHERE space = :space RETURNING text;

-- empty.due: nothing is left to do
DELETE FROM due WHERE space = :space RETURNING kind;

-- empty.spending: what models cost
DELETE FROM spending WHERE space = :space RETURNING model;

-- empty.promotions: the ledger of dreams
DELETE FROM promotions WHERE space = :space RETURNING '';

-- empty.sweeps: every sweep
DELETE FROM sweeps WHERE space = :space RETURNING report;

-- empty.outbox: what files have not been told
DELETE FROM outbox WHERE space = :space RETURNING kind;

-- empty.dreamers: who sweeps
DELETE FROM dreamers WHERE space = :space RETURNING '';

-- empty.workspace_files: where entries have files
DELETE FROM workspace_files WHERE space = :space RETURNING path;

-- empty.successions: tool calls that followed each other
DELETE FROM successions WHERE space = :space RETURNING next_args;

-- empty.macros: what became of macros
DELETE FROM macros WHERE space = :space RETURNING next_pattern;

-- empty.lessons: how far sessions were learnt from
DELETE FROM lessons WHERE space = :space RETURNING '';

-- empty.approvals: which commands need no question
DELETE FROM approvals WHERE space = :space RETURNING words;

-- empty.failures: what could not be embedded
DELETE FROM failures WHERE space = :space RETURNING error;

-- empty.coverage: how far models have come
DELETE FROM coverage WHERE space = :space RETURNING '';

-- empty.pending: nothing is left to embed
DELETE FROM pending WHERE space = :space RETURNING '';

-- empty.blocks: chunks packed for ranking
DELETE FROM blocks WHERE space = :space RETURNING '';

-- empty.block_words: their words
DELETE FROM block_words WHERE space = :space RETURNING '';

-- empty.block_signs: the signs of their vectors
DELETE FROM block_signs WHERE space = :space RETURNING '';

-- empty.past_names: names of entries that are gone
DELETE FROM past_names WHERE space = :space RETURNING name;

-- upkeep.holding: which tables of a space hold a text
SELECT 'entries' FROM entries WHERE space = :space
   AND instr(content || ' ' || category || ' ' || tags || ' ' || concept_tags || ' ' || source || ' ' || metadata,
             :text) > 0
UNION SELECT 'names' FROM names WHERE space = :space AND instr(name, :text) > 0
UNION SELECT 'names' FROM past_names WHERE space = :space AND instr(name, :text) > 0
UNION SELECT 'revisions' FROM revisions WHERE space = :space
   AND instr(content || ' ' || name || ' ' || category || ' ' || tags || ' ' || source || ' ' || metadata, :text) > 0
UNION SELECT 'events' FROM events WHERE space = :space
   AND instr(coalesce(content, '') || ' ' || body || ' ' || role, :text) > 0
UNION SELECT 'entry_values' FROM entry_values WHERE space = :space AND instr(key || ' ' || text, :text) > 0
UNION SELECT 'event_values' FROM event_values WHERE space = :space AND instr(key || ' ' || text, :text) > 0
UNION SELECT 'sessions' FROM sessions WHERE space = :space AND instr(session, :text) > 0
UNION SELECT 'chunks' FROM chunks WHERE space = :space AND instr(text || ' ' || author || ' ' || calls, :text) > 0
UNION SELECT 'documents' FROM documents WHERE space = :space
   AND instr(text || ' ' || uri || ' ' || metadata || ' ' || tags, :text) > 0
UNION SELECT 'records' FROM records WHERE space = :space
   AND instr(path || ' ' || key || ' ' || texts || ' ' || metadata || ' ' || coalesce(value, ''), :text) > 0
UNION SELECT 'record_revisions' FROM record_revisions WHERE space = :space
   AND instr(texts || ' ' || metadata || ' ' || coalesce(value, ''), :text) > 0
UNION SELECT 'summaries' FROM summaries WHERE space = :space AND instr(text || ' ' || metadata, :text) > 0
UNION SELECT 'past_summaries' FROM past_summaries WHERE space = :space
   AND instr(text || ' ' || metadata, :text) > 0
UNION SELECT 'scratchpads' FROM scratchpads WHERE space = :space AND instr(lines, :text) > 0
UNION SELECT 'signals' FROM signals WHERE space = :space AND instr(query, :text) > 0
UNION SELECT 'schedules' FROM schedules WHERE space = :space
   AND instr(goal || ' ' || name || ' ' || phrase || ' ' || coalesce(channel, '') || ' '
             || coalesce(channel_context, ''), :text) > 0
UNION SELECT 'runs' FROM runs WHERE space = :space
   AND instr(output || ' ' || summary, :text) > 0
UNION SELECT 'reminders' FROM reminders WHERE space = :space
   AND instr(text || ' ' || coalesce(cue, '') || ' ' || coalesce(recipient, '') || ' ' || coalesce(channel, '') || ' '
             || coalesce(session, ''), :text) > 0
UNION SELECT 'successions' FROM successions WHERE space = :space
   AND instr(trigger_tool || ' ' || next_tool || ' ' || coalesce(trigger_args, '') || ' '
             || coalesce(next_args, ''), :text) > 0
UNION SELECT 'macros' FROM macros WHERE space = :space
   AND instr(trigger_tool || ' ' || next_tool || ' ' || coalesce(trigger_pattern, '') || ' '
             || coalesce(next_pattern, ''), :text) > 0
UNION SELECT 'approvals' FROM approvals WHERE space = :space AND instr(words, :text) > 0
UNION SELECT 'retellings' FROM retellings WHERE space = :space AND instr(session || ' ' || path, :text) > 0
UNION SELECT 'workspace_files' FROM workspace_files WHERE space = :space
   AND instr(folder || ' ' || path, :text) > 0
UNION SELECT 'sweeps' FROM sweeps WHERE space = :space AND instr(report, :text) > 0
UNION SELECT 'spending' FROM spending WHERE space = :space AND instr(model, :text) > 0
UNION SELECT 'failures' FROM failures WHERE space = :space AND instr(error, :text) > 0;
