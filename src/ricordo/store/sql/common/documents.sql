-- documents.by_uri: the document behind a URI
SELECT id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at, tags, cut
  FROM documents WHERE space = :space AND uri = :uri;

-- documents.by_id: the document that a chunk belongs to
SELECT id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at, tags, cut
  FROM documents WHERE space = :space AND id = :id;

-- documents.uri: where a chunk of a file comes from
SELECT uri FROM documents WHERE space = :space AND id = :id;

-- documents.tags: the tags of a document
SELECT tags FROM documents WHERE space = :space AND id = :id;

-- documents.begin: the documents whose URIs begin so; `beyond` is the first text that does not
SELECT id FROM documents WHERE space = :space AND uri >= :prefix AND uri < :beyond;

-- documents.number: the number of a URI
SELECT id FROM documents WHERE space = :space AND uri = :uri;

-- documents.put: a new document, or what it says now
INSERT INTO documents (space, id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at,
                       tags, cut, seal)
VALUES (:space, :id, :uri, :hash, :raw, :text, :chunks, :origin, :metadata, :created_at, :updated_at,
        :tags, :cut, :seal)
    ON CONFLICT (space, id) DO UPDATE SET hash = excluded.hash, raw = excluded.raw, text = excluded.text,
       chunks = excluded.chunks, origin = excluded.origin, metadata = excluded.metadata,
       updated_at = excluded.updated_at, tags = excluded.tags, cut = excluded.cut, seal = excluded.seal;

-- documents.list: by URI, those that begin so
SELECT id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at, tags, cut
  FROM documents WHERE space = :space AND uri >= :prefix AND uri < :beyond ORDER BY uri;

-- documents.recent: those that changed last, without their texts
SELECT id, uri, chunks, updated_at FROM documents WHERE space = :space
 ORDER BY updated_at DESC, id DESC LIMIT :limit;

-- documents.outdated: a document that another version cut
SELECT id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at, tags, cut
  FROM documents WHERE space = :space AND cut <> :cut AND id > :after ORDER BY id LIMIT 1;

-- documents.delete: the row itself; its chunks go before it
DELETE FROM documents WHERE space = :space AND id = :id;
