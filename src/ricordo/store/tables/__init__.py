"""The tables, one module per noun: rows in, rows out."""
