"""The handles: a memory, its spaces, their sessions and collections. Every method calls a flow."""
