-- retellings.insert: an entry retells a range of events
INSERT INTO retellings (space, entry, session, first_seq, last_seq, path, is_filed, seal)
VALUES (:space, :entry, :session, :first_seq, :last_seq, :path, :is_filed, :seal);

-- retellings.get: what an entry retells
SELECT entry, session, first_seq, last_seq, path, is_filed
  FROM retellings WHERE space = :space AND entry = :entry;

-- retellings.of_session: every entry that retells a session
SELECT entry, session, first_seq, last_seq, path, is_filed
  FROM retellings WHERE space = :space AND session = :session ORDER BY entry;

-- retellings.notes: of the newest notes on a session those that retell every message of their run
SELECT r.entry, n.name, r.first_seq, r.last_seq, r.content, r.origin, r.created_at,
       (SELECT count(*) FROM events m
         WHERE m.space = :space AND m.session = :session AND m.kind = 'message'
           AND m.seq BETWEEN r.first_seq AND r.last_seq)
  FROM (SELECT t.entry, t.first_seq, t.last_seq, e.content, e.origin, e.created_at
          FROM retellings t
          JOIN entries e ON e.space = :space AND e.id = t.entry AND e.kind = 'note'
         WHERE t.space = :space AND t.session = :session AND t.last_seq > :after AND e.mute = 0
           AND (e.expires_at IS NULL OR e.expires_at > :now)
         ORDER BY t.last_seq DESC LIMIT :limit) r
  JOIN names n ON n.space = :space AND n.entry = r.entry AND n.canonical = 1
 WHERE NOT EXISTS (
       SELECT 1 FROM events v
        WHERE v.space = :space AND v.session = :session AND v.kind = 'message'
          AND v.seq BETWEEN r.first_seq AND r.last_seq
          AND NOT EXISTS (SELECT 1 FROM consolidations c
                           WHERE c.space = :space AND c.session = :session AND c.seq = v.seq))
 ORDER BY r.last_seq DESC;

-- retellings.unfiled: archives whose file is not in its place yet
SELECT entry, session, first_seq, last_seq, path, is_filed
  FROM retellings WHERE space = :space AND is_filed = 0 ORDER BY entry;

-- retellings.filed: the file is in its place
UPDATE retellings SET path = :path, is_filed = 1, seal = :seal WHERE space = :space AND entry = :entry;

-- retellings.below: those with a file below a folder
SELECT entry, session, first_seq, last_seq, path, is_filed
  FROM retellings WHERE space = :space AND substr(path, 1, length(:folder)) = :folder ORDER BY entry;

-- retellings.moved: the file has another path
UPDATE retellings SET path = :path, seal = :seal WHERE space = :space AND entry = :entry;

-- retellings.delete: the entry goes
DELETE FROM retellings WHERE space = :space AND entry = :entry;

-- names.beginning: names and aliases that begin so
SELECT name FROM names WHERE space = :space AND name >= :prefix AND name < :beyond;
