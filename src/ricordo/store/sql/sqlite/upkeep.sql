-- upkeep.in_schema: whether definitions of tables, names of spaces or of models say so
SELECT 1 FROM sqlite_schema WHERE instr(sql, :text) > 0
UNION SELECT 1 FROM spaces WHERE instr(name, :text) > 0
UNION SELECT 1 FROM models WHERE instr(fingerprint, :text) > 0;
