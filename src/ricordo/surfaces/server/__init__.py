"""What every server shares: the guard, tokens, listening, a memory opened late."""
