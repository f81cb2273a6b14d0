"""Hooks of coding hosts: one event in, one answer out."""
