"""Time: schedules, claims and reminders."""
