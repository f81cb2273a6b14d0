"""All SQL of recollect. The store moves rows; it decides nothing."""
