"""Hooks: what a coding host reports, and what it is given back."""
