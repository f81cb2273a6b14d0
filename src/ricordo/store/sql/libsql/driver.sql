-- driver.there: whether this is a memory already
SELECT 1 FROM sqlite_schema WHERE name = 'migrations';

-- driver.applied: numbers and digests of the migrations these tables have been through
SELECT number, digest FROM migrations;

-- driver.apply: a migration has been applied
INSERT INTO migrations (number, name, digest) VALUES (:number, :name, :digest);

-- driver.size: bytes of the file on the server
SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size();

-- driver.optimize: merge the keyword index; it knows no spaces
INSERT INTO words (words) VALUES ('optimize');
