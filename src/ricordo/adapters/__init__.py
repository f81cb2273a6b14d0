"""Adapters: a memory behind the interfaces of other frameworks. One module each.

A module is imported by its name only and needs the extra of the same name:
pip install "ricordo[openai-agents]" for `ricordo.adapters.openai_agents`.
"""
