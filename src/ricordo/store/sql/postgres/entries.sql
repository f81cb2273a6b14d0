-- entries.list: newest first, of a kind or of all; a page starts after an entry's place in that order
SELECT e.id FROM entries e
 WHERE e.space = :space
   AND (:kind IS NULL OR e.kind = :kind)
   AND (e.expires_at IS NULL OR e.expires_at > :now)
   AND (:without IS NULL OR e.id NOT IN (
        SELECT value::bigint FROM jsonb_array_elements_text(:without::jsonb) AS value))
   AND (:before_at IS NULL OR (e.updated_at, e.id) < (:before_at, :before_id))
 ORDER BY e.updated_at DESC, e.id DESC LIMIT :limit OFFSET :offset;

-- entries.list_of: those of a category, likewise
SELECT e.id FROM entries e
 WHERE e.space = :space AND e.category = :category
   AND (:kind IS NULL OR e.kind = :kind)
   AND (e.expires_at IS NULL OR e.expires_at > :now)
   AND (:without IS NULL OR e.id NOT IN (
        SELECT value::bigint FROM jsonb_array_elements_text(:without::jsonb) AS value))
   AND (:before_at IS NULL OR (e.updated_at, e.id) < (:before_at, :before_id))
 ORDER BY e.updated_at DESC, e.id DESC LIMIT :limit OFFSET :offset;

-- entries.list_among: some entries, newest first, filtered; a page starts after an entry's place in that order
SELECT e.id
  FROM entries e
 WHERE e.space = :space AND e.id = ANY (
       ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(:among::jsonb) AS value))
   AND (:kind IS NULL OR e.kind = :kind)
   AND (:category IS NULL OR e.category = :category)
   AND (e.expires_at IS NULL OR e.expires_at > :now)
   AND (:without IS NULL OR e.id NOT IN (
        SELECT value::bigint FROM jsonb_array_elements_text(:without::jsonb) AS value))
   AND (:before_at IS NULL OR (e.updated_at, e.id) < (:before_at, :before_id))
 ORDER BY e.updated_at DESC, e.id DESC LIMIT :limit OFFSET :offset;

-- entries.whole: entries with their names, the canonical one first, then aliases as they came
SELECT e.id, e.uid, e.kind, e.category, e.content, e.tags, e.concept_tags, e.origin, e.source, e.importance,
       e.metadata, e.created_at, e.updated_at, e.expires_at, e.since, e.pin, e.mute, e.embed_name,
       (SELECT json_agg(n.name ORDER BY n.canonical DESC, n.since, n.name)::text FROM names n
         WHERE n.space = :space AND n.entry = e.id) AS names,
       (SELECT coalesce(max(r.number), 0) + 1 FROM revisions r WHERE r.space = :space AND r.entry = e.id) AS revision
  FROM entries e
 WHERE e.space = :space AND e.id = ANY (
       ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(:ids::jsonb) AS value));
