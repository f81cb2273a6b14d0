"""What an import is compared by: all that a space tells of itself."""

import ricordo

U = "0192f0c1-0000-7000-8000-00000000000"
DAY = "2024-03-01T10:00:00+00:00"


def plain(found: ricordo.Run | ricordo.Macro | ricordo.Approval) -> dict[str, object]:
    """All of it but its space."""
    return {**found.to_dict(), "space": ""}


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
        "reminders": [(r.id, r.text, r.at, r.cue, r.delivered_at)
                      for r in space.reminders.list(pending=False)],
        "schedules": [(s.id, s.name, s.goal, s.cadence, s.notify, s.status, s.trusted, s.channel,
                       s.missed, s.created_at, s.last_run_at, s.last_run_status, s.failures)
                      for s in sorted(space.schedules.list(), key=lambda each: each.id)],
        "runs": [[plain(space.schedules.get_run(run.id)) for run in space.schedules.runs(s.id)]
                 for s in sorted(space.schedules.list(), key=lambda each: each.id)],
        "approvals": list(map(plain, space.approvals.list())),
        "macros": list(map(plain, space.macros.list())),
        "signals": space.dreams.signals(),
        "promotions": [(p.entry, p.phase, p.at, p.score, p.parts, p.hits, p.queries, p.days)
                       for p in space.dreams.promotions()],
    }  # fmt: skip
