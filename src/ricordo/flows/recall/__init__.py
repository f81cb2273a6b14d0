"""Recall: from a query to hits, the profiles, and the vectors they need."""
