"""Jobs: what the keeper does, how often, and in which process. One table row per job."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ricordo.background.passes import BrokenOff, Failures, JobPass
from ricordo.errors import Conflict
from ricordo.flows.conversation import compact, consolidate, summarize
from ricordo.flows.engine import Engine
from ricordo.flows.files import checkpoint
from ricordo.flows.learning import dream
from ricordo.flows.sync.sync import sync
from ricordo.flows.upkeep.maintain import maintain
from ricordo.flows.upkeep.rotate_backups import rotate_backups
from ricordo.flows.writing import read
from ricordo.store.codec import moment

if TYPE_CHECKING:
    from ricordo.config import Settings

_LOOK_BACK = timedelta(days=1)  # also read sessions active this long before the last pass
_NOTHING = "nothing to do"


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A job: its interval in seconds (0: off), which process can do it, and its work."""

    name: str
    every: "Callable[[Settings], float]"
    work: Callable[[JobPass], str]
    can_do: Callable[[Engine], bool] = bool
    uses_model: bool = False


def summarize_sessions(current: JobPass) -> str:
    """Condense sessions whose log has outgrown the context, and compact those that are full."""
    engine = current.engine
    terms = summarize.Terms(
        budget=engine.settings.context_budget,
        summarizer=engine.settings.chat_model or None,
        safety=0,  # a context has the whole budget
    )

    full = int(engine.settings.compact_at * engine.settings.context_budget)
    compacted = 0

    def work(space: str) -> int:
        nonlocal compacted
        written = 0
        for session in _list_active(current, space):
            current.check()
            if full:
                made = compact.compact_if_full(
                    engine, space, session, most=full, summarizer=terms.summarizer
                )
                compacted += made is not None
            written += summarize.summarize(engine, space, session, terms) is not None
        return written

    done = _count_each(current.list_changed(), work)
    told = [f"{done} sessions summarised"] if done else []
    told += [f"{compacted} sessions compacted"] if compacted else []
    return ", ".join(told) or _NOTHING


def _list_active(current: JobPass, space: str) -> list[str]:
    """Sessions that were active since a day before the last pass."""
    found = read.sessions(current.engine, space, None)
    if current.state.last_at is None:
        return [each.session for each in found]
    since = moment(current.state.last_at) - _LOOK_BACK
    return [each.session for each in found if each.updated_at >= since]


def consolidate_spaces(current: JobPass) -> str:
    """Turn old events into summaries and facts."""
    engine = current.engine
    wanted = consolidate.Pass(model=engine.settings.chat_model or None)
    facts = 0

    def work(space: str) -> int:
        nonlocal facts
        events = 0
        while True:
            current.check()
            made = consolidate.consolidate(engine, space, wanted)
            events += made.events
            facts += len(made.facts)
            if made.failed:
                session, error = next(iter(made.failed.items()))
                raise Conflict(f"session {session!r} was not consolidated: {error}")
            if not made.events:
                return events

    events = _count_each(_list_spaces(current), work)
    return f"{events} events consolidated, {facts} facts" if events else _NOTHING


def dream_spaces(current: JobPass) -> str:
    """Sweep every space for entries that are recalled repeatedly."""

    def work(space: str) -> int:
        try:
            return len(dream.dream(current.engine, space, dry_run=False, weights=None).promoted)
        except Conflict:
            return 0  # somebody else is sweeping it

    done = _count_each(_list_spaces(current), work)
    return f"{done} promotions" if done else _NOTHING


def sync_files(current: JobPass) -> str:
    """Sync the workspace of every space, and commit the changes."""

    def work(space: str) -> int:
        sync(current.engine, space)
        return checkpoint.commit(current.engine, space, "sync") is not None

    done = _count_each(_list_spaces(current), work)
    return f"{done} commits" if done else _NOTHING


def keep_house(current: JobPass) -> str:
    """Delete expired data and tidy the file."""
    done = maintain(current.engine, progress=current.report_progress)
    if done.doubts:
        return f"deletions wait because {done.doubts[0]}"
    removed = sum(done.removed.values())
    told = [f"{removed} rows deleted"] if removed else []
    told += [f"{done.recut} documents cut again"] if done.recut else []
    return ", ".join(told) or _NOTHING


def back_up(current: JobPass) -> str:
    """Write a backup to the `backup_folder` of the settings."""
    return rotate_backups(current.engine, current.report_progress)


def _list_spaces(current: JobPass) -> Iterable[str]:
    with current.engine.store.read() as tx:
        names = tx.spaces.names()
    for name in names:
        current.check()
        yield name


def _count_each(spaces: Iterable[str], work: Callable[[str], int]) -> int:
    """Work on each space and add up the results; a failing space does not stop the others."""
    total, failures = 0, Failures()
    for space in spaces:
        try:
            total += work(space)
        except BrokenOff:
            raise
        except Exception as error:  # noqa: BLE001 - reported below
            failures.note(space, error)
    failures.report()
    return total


def _has_workspace(engine: Engine) -> bool:
    folder = engine.settings.workspace
    return bool(folder) and Path(folder).expanduser().is_dir()


def _has_backup_folder(engine: Engine) -> bool:
    return bool(engine.settings.backup_folder) and engine.store.url != ":memory:"


# In the order in which due jobs run.
JOBS = (
    JobSpec("summarize", lambda s: s.summarize_minutes * 60.0, summarize_sessions, uses_model=True),
    JobSpec(
        "consolidate", lambda s: s.consolidate_hours * 3600.0, consolidate_spaces, uses_model=True
    ),
    JobSpec("dream", lambda s: s.dream_hours * 3600.0, dream_spaces),
    JobSpec("sync", lambda s: s.sync_minutes * 60.0, sync_files, _has_workspace),
    JobSpec("upkeep", lambda s: s.upkeep_hours * 3600.0, keep_house),
    JobSpec("backup", lambda s: s.backup_hours * 3600.0, back_up, _has_backup_folder),
)
