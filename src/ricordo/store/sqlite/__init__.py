"""SQLite: its driver, its file, its pages when they are damaged."""
