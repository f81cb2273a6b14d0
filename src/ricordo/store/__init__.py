"""All SQL of ricordo. The store moves rows; it decides nothing."""
