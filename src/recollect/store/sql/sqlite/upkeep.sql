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
UNION SELECT 'sessions' FROM sessions WHERE space = :space AND instr(session, :text) > 0
UNION SELECT 'chunks' FROM chunks WHERE space = :space AND instr(text || ' ' || author || ' ' || calls, :text) > 0
UNION SELECT 'documents' FROM documents WHERE space = :space
   AND instr(text || ' ' || uri || ' ' || metadata, :text) > 0
UNION SELECT 'summaries' FROM summaries WHERE space = :space AND instr(text || ' ' || metadata, :text) > 0
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

-- upkeep.in_schema: whether definitions of tables, names of spaces or of models say so
SELECT 1 FROM sqlite_schema WHERE instr(sql, :text) > 0
UNION SELECT 1 FROM spaces WHERE instr(name, :text) > 0
UNION SELECT 1 FROM models WHERE instr(fingerprint, :text) > 0;
