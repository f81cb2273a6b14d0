-- retellings.insert: an entry retells a range of events
INSERT INTO retellings (space, entry, session, first_seq, last_seq, path, is_filed, seal)
VALUES (:space, :entry, :session, :first_seq, :last_seq, :path, :is_filed, :seal);

-- retellings.get: what an entry retells
SELECT entry, session, first_seq, last_seq, path, is_filed
  FROM retellings WHERE space = :space AND entry = :entry;

-- retellings.of_session: every entry that retells a session
SELECT entry, session, first_seq, last_seq, path, is_filed
  FROM retellings WHERE space = :space AND session = :session ORDER BY entry;

-- retellings.unfiled: archives whose file is not in its place yet
SELECT entry, session, first_seq, last_seq, path, is_filed
  FROM retellings WHERE space = :space AND is_filed = 0 ORDER BY entry;

-- retellings.filed: the file is in its place
UPDATE retellings SET path = :path, is_filed = 1, seal = :seal WHERE space = :space AND entry = :entry;

-- retellings.delete: the entry goes
DELETE FROM retellings WHERE space = :space AND entry = :entry;

-- names.beginning: names and aliases that begin so
SELECT name FROM names WHERE space = :space AND substr(name, 1, length(:prefix)) = :prefix;
