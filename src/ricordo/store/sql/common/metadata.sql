-- entry_values.insert: a value of the metadata of an entry or a document, under its key
INSERT INTO entry_values (space, key, type, number, text, entry)
VALUES (:space, :key, :type, :number, :text, :entry) ON CONFLICT DO NOTHING;

-- entry_values.delete: all values of an entry or a document
DELETE FROM entry_values WHERE space = :space AND entry = :entry;

-- entry_values.holding: which entries have a key
SELECT entry FROM entry_values WHERE space = :space AND key = :key;

-- entry_values.equal: which entries have this value under a key
SELECT entry FROM entry_values
 WHERE space = :space AND key = :key AND type = :type AND number = :number AND text = :text;

-- entry_values.above: which have a greater one of the same type
SELECT entry FROM entry_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) > (:number, :text);

-- entry_values.from: which have this one or a greater one
SELECT entry FROM entry_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) >= (:number, :text);

-- entry_values.below: which have a smaller one
SELECT entry FROM entry_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) < (:number, :text);

-- entry_values.upto: which have this one or a smaller one
SELECT entry FROM entry_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) <= (:number, :text);

-- event_values.insert: a value of the metadata of a message, under its key
INSERT INTO event_values (space, key, type, number, text, session, seq)
VALUES (:space, :key, :type, :number, :text, :session, :seq) ON CONFLICT DO NOTHING;

-- event_values.delete: all values of the messages of a session
DELETE FROM event_values WHERE space = :space AND session = :session;

-- event_values.delete_one: all values of one message
DELETE FROM event_values WHERE space = :space AND session = :session AND seq = :seq;

-- event_values.holding: which messages have a key
SELECT session, seq FROM event_values WHERE space = :space AND key = :key;

-- event_values.equal: which messages have this value under a key
SELECT session, seq FROM event_values
 WHERE space = :space AND key = :key AND type = :type AND number = :number AND text = :text;

-- event_values.above: which have a greater one of the same type
SELECT session, seq FROM event_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) > (:number, :text);

-- event_values.from: which have this one or a greater one
SELECT session, seq FROM event_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) >= (:number, :text);

-- event_values.below: which have a smaller one
SELECT session, seq FROM event_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) < (:number, :text);

-- event_values.upto: which have this one or a smaller one
SELECT session, seq FROM event_values
 WHERE space = :space AND key = :key AND type = :type AND (number, text) <= (:number, :text);
