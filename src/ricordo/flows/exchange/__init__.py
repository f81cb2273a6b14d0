"""Exchange: export, import, copy."""
