-- upkeep.in_schema: whether names of spaces or of models say so
SELECT 1 FROM spaces WHERE instr(name, :text) > 0
UNION SELECT 1 FROM models WHERE instr(fingerprint, :text) > 0;
