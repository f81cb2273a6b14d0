"""The handles: a memory, its spaces, their sessions and collections. All they do are flows."""
