"""Derivatives: what was made from a session, and goes with it or is named in the receipt."""

from ricordo.core.learning.signals import read_opening
from ricordo.flows.writing.facts import DREAMT
from ricordo.store.codec import loads
from ricordo.store.database import Tx

Space = tuple[str, int]  # its name and its number


def prefix(session: str) -> str:
    """What the source of something begins with that was made from a session."""
    return f"{session}#"


def entries(tx: Tx, space: int, session: str, *, facts: bool) -> list[int]:
    """Entries that retell a session; with `facts` those worked out from it as well."""
    found = [row.entry for row in tx.retellings.of_session(space, session)]
    if facts:
        for entry, metadata in tx.upkeep.from_source(space, prefix(session)):
            if loads(metadata).get(DREAMT) and entry not in found:
                found.append(entry)
    return found


def revisions(tx: Tx, space: int, session: str) -> list[tuple[int, int, str]]:
    """What entries said before on the word of a session: entry, number and text."""
    return tx.upkeep.revisions_from(space, prefix(session))


def signals(tx: Tx, space: int, said: set[str]) -> list[int]:
    """Signals of recalls that asked just what a session said: a context asks with its message."""
    told = {read_opening(each) for each in said}
    return [
        signal for signal, query in tx.upkeep.list_queries(space) if read_opening(query) in told
    ]


def mentions(tx: Tx, space: Space, session: str) -> list[str]:
    """What names a session as its source and was written on purpose, so that it stays."""
    number = space[1]
    gone = set(entries(tx, number, session, facts=True))
    kept = [e for e, _ in tx.upkeep.from_source(number, prefix(session)) if e not in gone]
    names = [tx.entries.names(number, entry)[0] for entry in kept]
    told = [f"entry {name!r}, which names this session as its source" for name in names]
    reminders = tx.upkeep.reminders_of(number, session)
    return told + [f"reminder {id}, which was made in this session" for id in reminders]
