-- consolidations.waiting: sessions with events that nobody has consolidated, the most important first
SELECT v.session
  FROM events v
 WHERE v.space = :space AND v.importance >= :least AND v.kind = 'message' AND v.at < :before
   AND NOT EXISTS (SELECT 1 FROM consolidations c
                    WHERE c.space = :space AND c.session = v.session AND c.seq = v.seq)
 GROUP BY v.session ORDER BY max(v.importance) DESC, min(v.at), v.session;

-- consolidations.candidates: those events of one session, in order
SELECT v.seq, v.importance
  FROM events v
 WHERE v.space = :space AND v.session = :session AND v.importance >= :least
   AND v.kind = 'message' AND v.at < :before
   AND NOT EXISTS (SELECT 1 FROM consolidations c
                    WHERE c.space = :space AND c.session = v.session AND c.seq = v.seq)
 ORDER BY v.seq;

-- consolidations.insert: an event was consolidated
INSERT INTO consolidations (space, session, seq, at) VALUES (:space, :session, :seq, :at)
    ON CONFLICT (space, session, seq) DO NOTHING RETURNING seq;

-- consolidations.get: when an event was consolidated
SELECT at FROM consolidations WHERE space = :space AND session = :session AND seq = :seq;

-- consolidations.between: which events of a part of a log were consolidated, and when
SELECT seq, at FROM consolidations
 WHERE space = :space AND session = :session AND seq >= :first AND seq <= :last;

-- consolidations.delete: with their session
DELETE FROM consolidations WHERE space = :space AND session = :session RETURNING seq;
