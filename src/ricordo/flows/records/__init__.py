"""Records: values under a path and a key, one use case a module."""
