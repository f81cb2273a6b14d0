-- upkeep.holding: which tables of a space hold a text
SELECT 'entries' FROM entries WHERE space = :space
   AND strpos(content || ' ' || category || ' ' || tags || ' ' || concept_tags || ' ' || source || ' ' || metadata,
             :text) > 0
UNION SELECT 'names' FROM names WHERE space = :space AND strpos(name, :text) > 0
UNION SELECT 'names' FROM past_names WHERE space = :space AND strpos(name, :text) > 0
UNION SELECT 'revisions' FROM revisions WHERE space = :space
   AND strpos(content || ' ' || name || ' ' || category || ' ' || tags || ' ' || source || ' ' || metadata, :text) > 0
UNION SELECT 'events' FROM events WHERE space = :space
   AND strpos(coalesce(content, '') || ' ' || body || ' ' || role, :text) > 0
UNION SELECT 'sessions' FROM sessions WHERE space = :space AND strpos(session, :text) > 0
UNION SELECT 'chunks' FROM chunks WHERE space = :space AND strpos(text || ' ' || author || ' ' || calls, :text) > 0
UNION SELECT 'documents' FROM documents WHERE space = :space
   AND strpos(text || ' ' || uri || ' ' || metadata, :text) > 0
UNION SELECT 'summaries' FROM summaries WHERE space = :space AND strpos(text || ' ' || metadata, :text) > 0
UNION SELECT 'scratchpads' FROM scratchpads WHERE space = :space AND strpos(lines, :text) > 0
UNION SELECT 'signals' FROM signals WHERE space = :space AND strpos(query, :text) > 0
UNION SELECT 'schedules' FROM schedules WHERE space = :space
   AND strpos(goal || ' ' || name || ' ' || phrase || ' ' || coalesce(channel, '') || ' '
             || coalesce(channel_context, ''), :text) > 0
UNION SELECT 'runs' FROM runs WHERE space = :space
   AND strpos(output || ' ' || summary, :text) > 0
UNION SELECT 'reminders' FROM reminders WHERE space = :space
   AND strpos(text || ' ' || coalesce(cue, '') || ' ' || coalesce(recipient, '') || ' ' || coalesce(channel, '') || ' '
             || coalesce(session, ''), :text) > 0
UNION SELECT 'successions' FROM successions WHERE space = :space
   AND strpos(trigger_tool || ' ' || next_tool || ' ' || coalesce(trigger_args, '') || ' '
             || coalesce(next_args, ''), :text) > 0
UNION SELECT 'macros' FROM macros WHERE space = :space
   AND strpos(trigger_tool || ' ' || next_tool || ' ' || coalesce(trigger_pattern, '') || ' '
             || coalesce(next_pattern, ''), :text) > 0
UNION SELECT 'approvals' FROM approvals WHERE space = :space AND strpos(words, :text) > 0
UNION SELECT 'retellings' FROM retellings WHERE space = :space AND strpos(session || ' ' || path, :text) > 0
UNION SELECT 'workspace_files' FROM workspace_files WHERE space = :space
   AND strpos(folder || ' ' || path, :text) > 0
UNION SELECT 'sweeps' FROM sweeps WHERE space = :space AND strpos(report, :text) > 0
UNION SELECT 'spending' FROM spending WHERE space = :space AND strpos(model, :text) > 0
UNION SELECT 'failures' FROM failures WHERE space = :space AND strpos(error, :text) > 0;

-- upkeep.in_schema: whether names of spaces or of models say so
SELECT 1 FROM spaces WHERE strpos(name, :text) > 0
UNION SELECT 1 FROM models WHERE strpos(fingerprint, :text) > 0;
