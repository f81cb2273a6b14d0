-- entries.list: newest first, filtered; a page starts after an entry's place in that order
SELECT e.id
  FROM entries e
 WHERE e.space = :space
   AND (:kind IS NULL OR e.kind = :kind)
   AND (:category IS NULL OR e.category = :category)
   AND (:prefix IS NULL OR EXISTS (
        SELECT 1 FROM names n WHERE n.space = :space AND n.entry = e.id AND n.canonical = 1
           AND substr(n.name, 1, length(:prefix)) = :prefix))
   AND (:tags IS NULL OR (
        SELECT count(*) FROM entry_tags t WHERE t.space = :space AND t.entry = e.id
           AND t.tag IN (SELECT value FROM json_each(:tags))) = json_array_length(:tags))
   AND (e.expires_at IS NULL OR e.expires_at > :now)
   AND (:before_at IS NULL OR (e.updated_at, e.id) < (:before_at, :before_id))
 ORDER BY e.updated_at DESC, e.id DESC LIMIT :limit;
