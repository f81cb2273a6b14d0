"""Read: look things up as they are, or as they were. Nothing here writes."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from ricordo.core.recall.where import Selection, Where, parse_where
from ricordo.core.text import tags as labels
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.writing.cite import resolve_citation
from ricordo.flows.writing.conditions import find_entries
from ricordo.flows.writing.entry_names import address, locate, resolve
from ricordo.flows.writing.exclusion import check_exclude, find_excluded
from ricordo.model import KINDS, Entry, Event, Json, Revision, SessionInfo, Signal, Spending
from ricordo.store.codec import micros, moment
from ricordo.store.database import Tx
from ricordo.store.tables.entries import EntryFilter

EVERYTHING = -1
BEYOND = 2**63 - 1
_MOST = 2**31


def get(
    engine: Engine, space: str, name: str | int, as_of: datetime | None, *, exact: bool = False
) -> Entry | None:
    """The entry behind a name, alias, id or uid; with `as_of` as it stood then.

    With `exact` a text is a name or an alias, and nothing else.
    """
    name = address(name)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return None
        if as_of is not None:
            return _then(tx, number, space, name, micros(as_of), exact=exact)
        entry = _look_up(tx, number, name, exact=exact)
        if entry is None and isinstance(name, str) and not exact:
            return resolve_citation(tx, number, space, name)
        found = None if entry is None else tx.entries.get(number, space, entry)
        return found if found is None or holds(found, engine.now()) else None


def _look_up(tx: Tx, space: int, name: str | int, *, exact: bool) -> int | None:
    if exact and isinstance(name, str):
        return tx.entries.resolve(space, name)
    return resolve(tx, space, name)


def _then(
    tx: Tx, number: int, space: str, name: str | int, at: int, *, exact: bool
) -> Entry | None:
    """What the name stood for then comes before what it stands for now."""
    held = tx.entries.resolve_then(number, name, at) if isinstance(name, str) else None
    entry = held if held is not None else _look_up(tx, number, name, exact=exact)
    found = None if entry is None else tx.entries.then(number, space, entry, at)
    return found if found is None or holds(found, at) else None


def entries(
    engine: Engine,
    space: str,
    *,
    kind: str | None = None,
    category: str | None = None,
    tags: Iterable[str] | None = None,
    prefix: str | None = None,
    limit: int | None = 100,
    after: str | int | None = None,
    exclude: Iterable[str | int] | None = None,
    offset: int = 0,
    where: Mapping[str, Json] | None = None,
) -> list[Entry]:
    """Entries, most recently written first; the next page comes `after` the last one's name."""
    left_out, conditions = check_exclude(exclude), parse_where(where)
    page = check_filter(engine, kind, category, tags, prefix)._replace(
        limit=_MOST if limit is None else whole(limit, "limit", 0, _MOST),
        offset=whole(offset, "offset", 0, _MOST),
    )
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        if after is not None:
            row = tx.entries.row(number, locate(tx, space, after)[1])
            assert row is not None
            page = page._replace(before=(row.updated_at, row.id))
        if left_out:
            page = page._replace(without=frozenset(find_excluded(tx, number, left_out).entries))
        return tx.entries.several(number, space, list_numbers(tx, number, page, conditions))


def check_filter(
    engine: Engine,
    kind: str | None,
    category: str | None,
    tags: Iterable[str] | None,
    prefix: str | None,
) -> EntryFilter:
    """Which entries to list, all of them, or InvalidInput."""
    return EntryFilter(
        kind=None if kind is None else one_of(kind, "kind", KINDS),
        category=None if category is None else check_name(category, "category"),
        tags=None if tags is None else labels.normalise(tags),
        prefix=None if prefix is None else check_name(prefix, "prefix"),
        now=engine.now(),
        limit=_MOST,
    )


def list_numbers(tx: Tx, space: int, page: EntryFilter, where: Where | None) -> list[int]:
    """The numbers of the entries that a filter and conditions let through."""
    if where is not None:
        page = _narrow(page, find_entries(tx, space, where))
    return tx.entries.page(space, page)


def _narrow(page: EntryFilter, found: Selection[int]) -> EntryFilter:
    """The filter with what conditions found."""
    if found.is_complement:
        return page._replace(without=page.without | found.items)
    return page._replace(among=found.items)


def history(engine: Engine, space: str, name: str | int) -> list[Revision]:
    """What an entry said before, oldest first."""
    with engine.store.read() as tx:
        number, entry = locate(tx, space, name)
        return tx.entries.revisions(number, entry)


def events(
    engine: Engine, space: str, session: str, after: int | None, limit: int | None
) -> list[Event]:
    """The log of a session in order."""
    start = EVERYTHING if after is None else whole(after, "after", -1, 2**63 - 1)
    most = EVERYTHING if limit is None else whole(limit, "limit", 0, _MOST)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        return _add_consolidated(tx, number, tx.events.after(number, (space, session), start, most))


def spaces(engine: Engine, prefix: str, limit: int | None, after: str) -> list[str]:
    """The names of spaces, in their order, a page at a time."""
    most = EVERYTHING if limit is None else whole(limit, "limit", 0, _MOST)
    for value, what in ((prefix, "prefix"), (after, "after")):
        if value != "":
            check_name(value, what)
    with engine.store.read() as tx:
        return tx.spaces.page(prefix, after, most)


def tail(engine: Engine, space: str, session: str, n: int, before: int | None) -> list[Event]:
    """The last events of a session, or the last before a seq, oldest of them first."""
    most = whole(n, "n", 0, _MOST)
    end = BEYOND if before is None else whole(before, "before", 0, BEYOND)
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        return _add_consolidated(tx, number, tx.events.latest(number, (space, session), most, end))


def _add_consolidated(tx: Tx, space: int, events: list[Event]) -> list[Event]:
    """The events of one session in order, each with the time when it was consolidated."""
    if not events:
        return events
    first, last = events[0].seq, events[-1].seq
    marked = tx.consolidations.between(space, events[0].session, first, last)
    return [
        replace(event, consolidated_at=moment(marked[event.seq])) if event.seq in marked else event
        for event in events
    ]


def sessions(
    engine: Engine,
    space: str,
    limit: int | None,
    prefix: str | None = None,
    agent: str | None = None,
) -> list[SessionInfo]:
    """The sessions of a space, most recently active first."""
    most = EVERYTHING if limit is None else whole(limit, "limit", 0, _MOST)
    begin = "" if prefix in (None, "") else check_name(prefix, "prefix")
    who = None if agent is None else check_name(agent, "agent")
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return [] if number is None else tx.sessions.recent(number, space, most, begin, who)


def session_info(engine: Engine, space: str, session: str) -> SessionInfo | None:
    """One session as `sessions` lists it, or None."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return None if number is None else tx.sessions.info(number, space, session)


def signals(
    engine: Engine, space: str, name: str | int | None, limit: int, session: str | None = None
) -> list[Signal]:
    """What was recalled, newest first; for one entry, or as it was asked in one session."""
    most = whole(limit, "limit", 0, _MOST)
    if name is not None and session is not None:
        raise InvalidInput("signals are of an entry or of a session; give one of the two")
    if session is not None:
        check_name(session, "session")
    if not engine.store.read_only:
        engine.store.settle()
    with engine.store.read() as tx:
        entry = None if name is None else locate(tx, space, name)[1]
        number = tx.spaces.number(space)
        return [] if number is None else tx.signals.latest(number, entry, most, session)


def list_spending(engine: Engine, space: str) -> list[Spending]:
    """What chat models were paid for in a space."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return [] if number is None else tx.summaries.list_spending(number)


def holds(entry: Entry, now: int) -> bool:
    """Whether an entry has not expired."""
    return entry.expires_at is None or micros(entry.expires_at) > now
