"""Learning: what is promoted, what is known of tool use, which commands are approved."""
