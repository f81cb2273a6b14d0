"""Writing: append, remember, facts, and reading back what was written."""
