"""Sync: notes and Markdown files, kept in step."""
