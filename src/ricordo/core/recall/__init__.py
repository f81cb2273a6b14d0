"""Recall: the picture of a space in RAM, and everything that ranks."""
