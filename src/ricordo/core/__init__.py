"""Pure logic: no I/O, no SQL, no clock, no randomness."""
