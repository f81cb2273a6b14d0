"""What runs by itself while a process has a memory open."""
