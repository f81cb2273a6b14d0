-- folding.chunks: what a literal search looks at; the comparison itself is ours, as on every backend
SELECT chunk, text, author FROM chunks WHERE space = :space;

-- folding.schedules: the names a filter looks at
SELECT id, name FROM schedules WHERE space = :space;
