"""Integrity: ids, the hash chain, secrets, and the traces of what was erased."""
