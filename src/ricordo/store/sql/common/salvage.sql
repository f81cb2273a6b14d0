-- salvage.found_space: give a lost space a row again, under its old number
INSERT INTO spaces (space, name, secret, created_at) VALUES (:space, :name, :secret, :created_at);

-- salvage.count_spaces: counters for spaces that have none
INSERT INTO counters (space) SELECT space FROM spaces WHERE true ON CONFLICT DO NOTHING;

-- salvage.rename_space: a name that can be asked for
UPDATE spaces SET name = :name WHERE space = :space;

-- salvage.rekey_space: a secret in the place of one that is lost
UPDATE spaces SET secret = :secret WHERE space = :space;

-- salvage.sessions: sessions that events belong to, though the session itself is lost
SELECT v.session, min(v.at) AS created_at, max(v.at) AS updated_at FROM events v
 WHERE v.space = :space
   AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.space = :space AND s.session = v.session)
 GROUP BY v.session ORDER BY v.session;

-- salvage.found_session: give a lost session a row again
INSERT INTO sessions (space, session, created_at, updated_at, last_seq, events, head)
VALUES (:space, :session, :created_at, :updated_at, -1, 0, :head);

-- salvage.session_names: every session of a space
SELECT session, last_seq, head FROM sessions WHERE space = :space ORDER BY session;

-- salvage.unconsolidate: what refers to an event that does not verify
DELETE FROM consolidations WHERE space = :space AND session = :session AND seq = :seq;

-- salvage.drop_event: an event that does not verify
DELETE FROM events WHERE space = :space AND session = :session AND seq = :seq;

-- salvage.drop_gap: what is left of such an event
DELETE FROM gaps WHERE space = :space AND session = :session AND seq = :seq;

-- salvage.relink_event: an event's digest and its place in the chain
UPDATE events SET digest = :digest, link = :link
 WHERE space = :space AND session = :session AND seq = :seq;

-- salvage.relink_gap: the place in the chain of an event that upkeep took out
UPDATE gaps SET link = :link WHERE space = :space AND session = :session AND seq = :seq;

-- salvage.close_session: the counters and the head of a session, as its events say
UPDATE sessions SET last_seq = :last_seq, events = :events, head = :head
 WHERE space = :space AND session = :session;

-- salvage.entries: entries with their kinds and what of them is JSON
SELECT id, kind, tags, concept_tags, metadata FROM entries WHERE space = :space ORDER BY id;

-- salvage.mend_entry: JSON that can be read, and a kind that is known
UPDATE entries SET kind = :kind, tags = :tags, concept_tags = :concept_tags, metadata = :metadata,
       seal = :seal
 WHERE space = :space AND id = :entry;

-- salvage.mend_entries: no entry was last said before it said so
UPDATE entries SET updated_at = since WHERE space = :space AND updated_at < since RETURNING id;

-- salvage.mend_sessions: a session at times that are not valid takes those of its events; one that
-- has no events takes the other of its two times, or the present
UPDATE sessions SET
       created_at = coalesce(
            (SELECT min(v.at) FROM events v WHERE v.space = :space AND v.session = sessions.session),
            CASE WHEN created_at BETWEEN :first AND :last THEN created_at END,
            CASE WHEN updated_at BETWEEN :first AND :last THEN updated_at END, :now),
       updated_at = coalesce(
            (SELECT max(v.at) FROM events v WHERE v.space = :space AND v.session = sessions.session),
            CASE WHEN created_at BETWEEN :first AND :last THEN created_at END,
            CASE WHEN updated_at BETWEEN :first AND :last THEN updated_at END, :now)
 WHERE space = :space AND (created_at < :first OR updated_at < created_at OR updated_at > :last)
RETURNING session;

-- salvage.recount: counters past every number in use; no chunk is there yet
UPDATE counters SET next_chunk = 1, documents = 0, tokens = 0, revision = revision + 1, pruned = revision + 1,
       next_signal = 1 + (SELECT coalesce(max(g.signal), 0) FROM signals g WHERE g.space = :space),
       next_entry = 1 + (SELECT coalesce(max(n.number), 0) FROM (
            SELECT next_entry - 1 AS number FROM counters WHERE space = :space
            UNION SELECT e.id FROM entries e WHERE e.space = :space
            UNION SELECT d.id FROM documents d WHERE d.space = :space
            UNION SELECT r.id FROM records r WHERE r.space = :space) n)
 WHERE space = :space;

-- salvage.document_chunks: how many chunks a document has, and which version cut it
UPDATE documents SET chunks = :chunks, cut = :cut WHERE space = :space AND id = :id;
