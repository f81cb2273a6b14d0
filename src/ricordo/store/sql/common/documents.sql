-- documents.by_uri: the document behind a URI
SELECT id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at
  FROM documents WHERE space = :space AND uri = :uri;

-- documents.by_id: the document that a chunk belongs to
SELECT id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at
  FROM documents WHERE space = :space AND id = :id;

-- documents.uri: where a chunk of a file comes from
SELECT uri FROM documents WHERE space = :space AND id = :id;

-- documents.put: a new document, or what it says now
INSERT INTO documents (space, id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at,
                       seal)
VALUES (:space, :id, :uri, :hash, :raw, :text, :chunks, :origin, :metadata, :created_at, :updated_at, :seal)
    ON CONFLICT (space, id) DO UPDATE SET hash = excluded.hash, raw = excluded.raw, text = excluded.text,
       chunks = excluded.chunks, origin = excluded.origin, metadata = excluded.metadata,
       updated_at = excluded.updated_at, seal = excluded.seal;

-- documents.list: by URI, those that begin so
SELECT id, uri, hash, raw, text, chunks, origin, metadata, created_at, updated_at
  FROM documents WHERE space = :space AND substr(uri, 1, length(:prefix)) = :prefix ORDER BY uri;

-- documents.delete: the row itself; its chunks go before it
DELETE FROM documents WHERE space = :space AND id = :id;
