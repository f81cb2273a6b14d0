"""Surfaces: ways to reach a memory from outside of Python.

They parse, call `recollect.memory` and print. They decide nothing, and nothing imports them.
"""
