"""PostgreSQL: its driver, its connections, its tables."""
