-- entries.insert: a new entry
INSERT INTO entries (space, id, uid, kind, category, content, tags, concept_tags, origin, source,
                     importance, metadata, created_at, updated_at, expires_at, since, pin, mute, embed_name,
                     seal)
VALUES (:space, :id, :uid, :kind, :category, :content, :tags, :concept_tags, :origin, :source,
        :importance, :metadata, :created_at, :updated_at, :expires_at, :since, :pin, :mute, :embed_name,
        :seal);

-- entries.update: replace what an entry says; its id, uid, kind and created_at stay
UPDATE entries SET category = :category, content = :content, tags = :tags, concept_tags = :concept_tags,
       origin = :origin, source = :source, importance = :importance, metadata = :metadata,
       updated_at = :updated_at, expires_at = :expires_at, since = :since,
       pin = :pin, mute = :mute, embed_name = :embed_name, seal = :seal
 WHERE space = :space AND id = :id;

-- entries.touch: the same was said again
UPDATE entries SET updated_at = :updated_at WHERE space = :space AND id = :id;

-- entries.by_id: one entry
SELECT id, uid, kind, category, content, tags, concept_tags, origin, source, importance, metadata,
       created_at, updated_at, expires_at, since, pin, mute, embed_name
  FROM entries WHERE space = :space AND id = :id;

-- entries.by_uid: the id behind a uid
SELECT id FROM entries WHERE space = :space AND uid = :uid;

-- entries.delete: the row itself
DELETE FROM entries WHERE space = :space AND id = :id;

-- entries.expired: expired entries
SELECT id FROM entries WHERE space = :space AND expires_at IS NOT NULL AND expires_at <= :now;

-- entries.pinned: entries that stand in every context, the oldest first
SELECT id FROM entries
 WHERE space = :space AND pin = 1 AND mute = 0 AND (expires_at IS NULL OR expires_at > :now)
 ORDER BY created_at, id LIMIT :limit;

-- entries.facts: the names of a drawer of facts, to find one that means the same
SELECT n.name FROM entries e
  JOIN names n ON n.space = e.space AND n.entry = e.id
 WHERE e.space = :space AND e.kind = 'fact' AND e.category = :category;

-- names.resolve: the entry behind a name or alias
SELECT entry FROM names WHERE space = :space AND name = :name;

-- names.of: the names of an entry, the canonical one first, then aliases as they came
SELECT name, canonical FROM names WHERE space = :space AND entry = :entry
 ORDER BY canonical DESC, since, name;

-- names.begin: the entries whose canonical names begin so; `beyond` is the first text that does not
SELECT entry FROM names
 WHERE space = :space AND name >= :prefix AND name < :beyond AND canonical = 1;

-- names.insert: give an entry a name
INSERT INTO names (space, name, entry, canonical, since, seal)
VALUES (:space, :name, :entry, :canonical, :since, :seal);

-- names.promote: make an alias the canonical name
UPDATE names SET canonical = :canonical WHERE space = :space AND name = :name;

-- names.delete: take a name away
DELETE FROM names WHERE space = :space AND name = :name;

-- names.delete_of: take all names of an entry away
DELETE FROM names WHERE space = :space AND entry = :entry;

-- names.since: from when a name has been in use
SELECT since FROM names WHERE space = :space AND name = :name;

-- names.retire: remember that a name was in use
INSERT INTO past_names (space, name, entry, since, until)
VALUES (:space, :name, :entry, :since, :until) ON CONFLICT DO NOTHING;

-- names.then: the entry a name stood for at a time, present names included
SELECT entry FROM (
    SELECT entry, since FROM names WHERE space = :space AND name = :name AND since <= :at
    UNION ALL
    SELECT entry, since FROM past_names
     WHERE space = :space AND name = :name AND since <= :at AND until > :at
) AS held ORDER BY since DESC LIMIT 1;

-- names.of_then: the names of an entry at a time, as they came
SELECT name FROM (
    SELECT name, since FROM names WHERE space = :space AND entry = :entry AND since <= :at
    UNION ALL
    SELECT name, since FROM past_names
     WHERE space = :space AND entry = :entry AND since <= :at AND until > :at
) AS held ORDER BY since, name;

-- names.delete_past: forget former names of an entry
DELETE FROM past_names WHERE space = :space AND entry = :entry;

-- tags.insert: label an entry
INSERT INTO entry_tags (space, tag, entry) VALUES (:space, :tag, :entry) ON CONFLICT DO NOTHING;

-- tags.entries: the entries that have a label
SELECT entry FROM entry_tags WHERE space = :space AND tag = :tag;

-- tags.delete_of: take all labels off an entry
DELETE FROM entry_tags WHERE space = :space AND entry = :entry;

-- revisions.next: the number of the next revision of an entry
SELECT coalesce(max(number), 0) + 1 FROM revisions WHERE space = :space AND entry = :entry;

-- revisions.insert: keep what an entry said before a write
INSERT INTO revisions (space, entry, number, name, category, content, tags, concept_tags, origin, source,
                       importance, metadata, updated_at, expires_at, since, until, seal)
VALUES (:space, :entry, :number, :name, :category, :content, :tags, :concept_tags, :origin, :source,
        :importance, :metadata, :updated_at, :expires_at, :since, :until, :seal);

-- revisions.list: oldest first
SELECT number, name, category, content, tags, origin, source, importance, metadata, since, until
  FROM revisions WHERE space = :space AND entry = :entry ORDER BY number;

-- revisions.then: what an entry said at a time in the past
SELECT name, category, content, tags, concept_tags, origin, source, importance, metadata,
       updated_at, expires_at, number
  FROM revisions WHERE space = :space AND entry = :entry AND since <= :at AND until > :at
 ORDER BY number DESC LIMIT 1;

-- revisions.all_then: what entries said at a time that say something else now; of equal times the last counts
SELECT r.entry, r.name, e.kind, r.category, r.content, r.tags, r.concept_tags, r.origin, r.metadata,
       r.since, r.expires_at, e.embed_name
  FROM revisions r JOIN entries e ON e.space = :space AND e.id = r.entry
 WHERE r.space = :space AND r.since <= :at AND r.until > :at AND e.mute = 0
 ORDER BY r.entry, r.number;

-- revisions.delete_of: forget all that an entry ever said
DELETE FROM revisions WHERE space = :space AND entry = :entry;
