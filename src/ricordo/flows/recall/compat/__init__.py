"""Profiles in the shape of other systems, one module per system."""
