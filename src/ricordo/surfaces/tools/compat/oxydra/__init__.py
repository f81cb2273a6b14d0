"""Toolsets in the shape of oxydra: notes and schedules."""
