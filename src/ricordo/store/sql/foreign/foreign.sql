-- foreign.tables: what a file holds
SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name;

-- foreign.columns: the columns of one of them
SELECT name FROM pragma_table_info(:name) ORDER BY cid;

-- foreign.rows: a table as it was written; names of known tables and columns are put in
SELECT {columns} FROM {table} ORDER BY rowid;

-- foreign.count: how many rows it has
SELECT count(*) FROM {table};
