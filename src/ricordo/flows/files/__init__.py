"""Files: the workspace of a space and its checkpoints."""
