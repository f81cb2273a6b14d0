"""Conversation: messages, what fits a budget, summaries, compaction."""
