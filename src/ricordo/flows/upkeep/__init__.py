"""Upkeep: maintain, check, back up, salvage."""
