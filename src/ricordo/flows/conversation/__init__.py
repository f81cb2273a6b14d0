"""Conversation: context, summaries, compaction, restoring, consolidation."""
