"""What is learnt and kept in order: sweeps, promotions, macros, approvals, checkpoints, upkeep."""
