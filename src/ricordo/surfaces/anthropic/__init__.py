"""Anthropic's memory tool: files under /memories."""
