-- Keys: an event that was appended with a key has a uid made from it (UUID version 8), by which it is found again.
-- Other events are not in this index and pay nothing for it.
CREATE INDEX events_keyed ON events (space, session, uid) WHERE substr(uid, 15, 1) = '8';
