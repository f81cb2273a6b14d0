"""Time: cadences, durations, phrases, zones, and what the outcome of a run means."""
