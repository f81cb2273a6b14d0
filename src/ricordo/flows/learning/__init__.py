"""Learning: dreams, macros, approvals."""
