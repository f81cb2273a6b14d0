"""Changes: the newest of everything in a space as one list, for whoever follows a memory.

Nothing is written for it: each kind is read from its own table, newest first. What was deleted is
in no list; of what was erased only the time is left.
"""

from collections.abc import Callable, Iterable, Iterator

from ricordo.core.text import content
from ricordo.core.text.graphemes import cut_text
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.engine import Engine, one_of, whole
from ricordo.model import CHANGE_KINDS, Change, ChangeKind, Entry, Event, Signal, Source
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.entries import EntryFilter

LONGEST = 300  # characters of a text
MOST = 100_000
_DEPTH = 100  # events of a session to put in the order of their times, if fewer are asked for
Place = tuple[int, str]  # the number of a space, and its name


def changes(
    engine: Engine, space: str, limit: int, kinds: Iterable[str] | None = None
) -> list[Change]:
    """What happened in a space, newest first."""
    most = whole(limit, "limit", 0, MOST)
    wanted = _check_kinds(kinds)
    if not engine.store.read_only:
        engine.store.settle()
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return []
        found = [
            change
            for reads, read in _READERS
            if wanted & reads
            for change in read(tx, (number, space), most, engine.now())
        ]
    chosen = (change for change in found if change.kind in wanted)
    return sorted(chosen, key=lambda each: (each.at, each.id), reverse=True)[:most]


def _check_kinds(kinds: Iterable[str] | None) -> frozenset[ChangeKind]:
    if kinds is None:
        return frozenset(CHANGE_KINDS)
    if not isinstance(kinds, Iterable):
        raise InvalidInput(f"kinds is {shorten(kinds)}; give a list of {', '.join(CHANGE_KINDS)}")
    given = [kinds] if isinstance(kinds, str) else kinds
    return frozenset(one_of(each, "kind", CHANGE_KINDS) for each in given)


def _read_events(tx: Tx, place: Place, limit: int, _: int) -> list[Change]:
    """Messages and markers: of the sessions whose events are newest, until older cannot count."""
    number, space = place
    found: list[Event] = []
    depth = max(limit, _DEPTH)  # messages that were written later may be of an earlier time
    for session, newest in tx.sessions.list_newest(number, limit, depth):
        if len(found) >= limit and newest < found[-1].at:
            break
        found += tx.events.latest(number, (space, session), depth)
        found = sorted(found, key=lambda event: event.at, reverse=True)[:limit]
    return [_tell_event(event) for event in found]


def _tell_event(event: Event) -> Change:
    said = content.extract(event.content, event.tool_calls)
    source = Source("event", event.session, event.seq, event.seq)
    about = "compacted" if event.kind == "marker" else event.name or event.role
    return Change("event", f"event {event.uid}", event.at, _cut(said), about, source=source)


def _read_entries(tx: Tx, place: Place, limit: int, now: int) -> list[Change]:
    number, space = place
    page = tx.entries.page(number, EntryFilter(None, None, None, None, now, limit))
    entries = tx.entries.several(number, space, page)
    return [change for entry in entries for change in _tell_entry(tx, number, entry)]


def _tell_entry(tx: Tx, space: int, entry: Entry) -> Iterator[Change]:
    """That it was made, and each time that it was written again."""
    past = tx.entries.revisions(space, entry.id) if entry.revision > 1 else []
    texts = [(each.since, each.content) for each in past]
    texts.append((past[-1].until if past else entry.created_at, entry.content))
    source = Source("entry", name=entry.name)
    for place, (at, text) in enumerate(texts, start=1):
        kind: ChangeKind = "entry" if place == 1 else "revision"
        id = f"{kind} {entry.uid} {place}"
        yield Change(kind, id, at, _cut(text), entry.kind, entry.name, source)


def _read_documents(tx: Tx, place: Place, limit: int, _: int) -> list[Change]:
    return [
        Change(
            "document",
            f"document {row.id} {row.updated_at}",
            moment(row.updated_at),
            row.uri,
            f"{row.chunks} chunks",
            source=Source("file", uri=row.uri),
        )
        for row in tx.documents.list_recent(place[0], limit)
    ]


def _read_signals(tx: Tx, place: Place, limit: int, _: int) -> list[Change]:
    return [
        Change(
            "signal",
            f"signal {signal.at.isoformat()} {_digest(signal)}",
            signal.at,
            _cut(signal.query),
            signal.asker,
            signal.entry,
            Source("entry", name=signal.entry),
        )
        for signal in tx.signals.latest(place[0], None, limit)
    ]


def _read_sweeps(tx: Tx, place: Place, limit: int, _: int) -> list[Change]:
    found = []
    for row in tx.sweeps.latest(place[0], limit):
        text = f"{row.candidates} candidates"  # of an undone one, nobody knows any more how many
        if row.undone_at is None:
            promoted = len(tx.sweeps.promotions_of(place[0], row.id))
            text = f"{promoted} of {text} promoted"
        found.append(Change("sweep", f"sweep {row.id}", moment(row.at), text, name=str(row.id)))
        if row.undone_at is not None:
            undone = moment(row.undone_at)
            id, text = f"sweep {row.id} undone", f"sweep {row.id} was undone"
            found.append(Change("sweep", id, undone, text, "undone", str(row.id)))
    return found


def _read_runs(tx: Tx, place: Place, limit: int, _: int) -> list[Change]:
    names: dict[str, str] = {}
    found = []
    for row in tx.schedules.list_recent_runs(place[0], limit):
        if row.schedule not in names:
            plan = tx.schedules.get(place[0], row.schedule)
            names[row.schedule] = row.schedule if plan is None else plan.name
        at, name = moment(row.finished_at), names[row.schedule]
        found.append(Change("run", f"run {row.id}", at, _cut(row.summary), row.status, name))
    return found


def _read_reminders(tx: Tx, place: Place, limit: int, _: int) -> list[Change]:
    found = []
    for row in tx.reminders.page(place[0], pending=False, recipient=None, limit=limit):
        steps = (("set", row.created_at), ("delivered", row.delivered_at))
        found += [
            Change("reminder", f"reminder {row.id} {step}", moment(at), _cut(row.text), step)
            for step, at in steps
            if at is not None
        ]
    return found


def _read_erasures(tx: Tx, place: Place, limit: int, _: int) -> list[Change]:
    return [
        Change("erasure", f"erasure {at}", moment(at), f"{count} digests keep it from coming back")
        for at, count in tx.tombstones.list_erased(place[0], limit)
    ]


def _digest(signal: Signal) -> str:
    """A signal has no id of its own, and of a name or a query none can be made as they are."""
    return content.digest(f"{signal.entry}\n{signal.query}").hex()[:12]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{cut_text(text, LONGEST - 1)}…"


Reader = Callable[[Tx, Place, int, int], list[Change]]
_READERS: tuple[tuple[frozenset[str], Reader], ...] = (
    (frozenset({"event"}), _read_events),
    (frozenset({"entry", "revision"}), _read_entries),
    (frozenset({"document"}), _read_documents),
    (frozenset({"signal"}), _read_signals),
    (frozenset({"sweep"}), _read_sweeps),
    (frozenset({"run"}), _read_runs),
    (frozenset({"reminder"}), _read_reminders),
    (frozenset({"erasure"}), _read_erasures),
)
