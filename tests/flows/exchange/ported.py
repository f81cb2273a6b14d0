"""What an import is compared by: all that a space tells of itself."""

import ricordo

U = "0192f0c1-0000-7000-8000-00000000000"
DAY = "2024-03-01T10:00:00+00:00"


def told(space: ricordo.Space) -> dict[str, object]:
    """Everything a reader of a space sees."""
    entries = sorted(space.entries(limit=1_000), key=lambda entry: entry.uid)
    sessions = sorted(info.session for info in space.sessions())
    return {
        "entries": [(e.uid, e.name, e.aliases, e.kind, e.category, e.content, e.tags, e.origin,
                     e.source, e.importance, e.metadata, e.created_at, e.updated_at, e.expires_at)
                    for e in entries],
        "history": [space.history(entry.name) for entry in entries],
        "events": [(e.session, e.seq, e.uid, e.kind, e.role, e.content, e.name, e.tool_calls,
                    e.tool_call_id, e.importance, e.origin, e.metadata, e.at)
                   for name in sessions for e in space.session(name).events()],
        "scratchpads": [space.session(name).scratchpad() for name in sessions],
        "summaries": [(s.text, s.upto) if (s := space.session(name).summary()) else None
                      for name in sessions],
        "replays": [space.session(name).replay() for name in sessions],
        "documents": [(d.uri, d.hash, d.metadata) for d in space.documents.list()],
        "reminders": [(r.id, r.text, r.at, r.cue) for r in space.reminders.list()],
    }  # fmt: skip
