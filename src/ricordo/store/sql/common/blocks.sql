-- blocks.ranges: the blocks of a space in the order of their chunks, without what is in them
SELECT block, first, last, size, buckets FROM blocks WHERE space = :space ORDER BY first;

-- blocks.page: what is in the blocks that begin after a chunk
SELECT first, data FROM blocks WHERE space = :space AND first > :after ORDER BY first LIMIT :limit;

-- blocks.insert: a new block
INSERT INTO blocks (space, block, first, last, size, buckets, data)
VALUES (:space, :block, :first, :last, :size, :buckets, :data);

-- blocks.delete: a block goes, with what the next two delete
DELETE FROM blocks WHERE space = :space AND first = :first;

-- block_words.delete: its words
DELETE FROM block_words WHERE space = :space AND place >= :low AND place < :high;

-- block_signs.delete: the signs of its vectors
DELETE FROM block_signs WHERE space = :space AND block = :block;

-- block_words.insert: words of a block whose numbers end alike
INSERT INTO block_words (space, place, data) VALUES (:space, :place, :data);

-- block_words.get: one bucket
SELECT data FROM block_words WHERE space = :space AND place = :place;

-- block_words.all: all buckets of a block
SELECT place, data FROM block_words
 WHERE space = :space AND place >= :low AND place < :high ORDER BY place;

-- block_signs.insert: signs of the vectors of a block
INSERT INTO block_signs (space, block, model, data) VALUES (:space, :block, :model, :data);

-- block_signs.get: the signs of the vectors that a model gave to a block
SELECT data FROM block_signs WHERE space = :space AND block = :block AND model = :model;

-- block_signs.list: which blocks have signs of which model
SELECT block, model FROM block_signs WHERE space = :space ORDER BY block, model;

-- block_signs.drop: a vector of the block changed
DELETE FROM block_signs WHERE space = :space AND block = :block AND model = :model;

-- blocks.clear: every block of a space goes, with what the next two delete
DELETE FROM blocks WHERE space = :space;

-- block_words.clear: their words
DELETE FROM block_words WHERE space = :space;

-- block_signs.clear: the signs of their vectors
DELETE FROM block_signs WHERE space = :space;

-- chunks.between: what a view does not hold of a range
SELECT chunk, kind, session, seq_start, entry, part, role, author, length, at, marks, calls, terms, extra
  FROM chunks WHERE space = :space AND chunk > :after AND chunk <= :last ORDER BY chunk LIMIT :limit;

-- chunks.count_between: how many chunks of a range there are, up to a limit
SELECT count(*) FROM (
    SELECT chunk FROM chunks WHERE space = :space AND chunk > :after AND chunk <= :last LIMIT :limit) AS listed;

-- block_words.blocks: the numbers of blocks that have words
SELECT DISTINCT place / 256 FROM block_words WHERE space = :space;
