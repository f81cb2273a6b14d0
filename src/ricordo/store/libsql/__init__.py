"""libSQL: its driver and the protocol it speaks."""
