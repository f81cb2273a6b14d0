"""Surfaces: ways to reach a memory from outside of Python.

They parse, call `ricordo.handles.memory` and print. They decide nothing, and nothing imports them.
"""
