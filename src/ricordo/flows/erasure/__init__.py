"""Erasure: forget and delete, with everything derived, and prove it."""
