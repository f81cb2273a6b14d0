"""Checkpoints: write what a space remembers to its files, then commit them.

A sweep commits its own two files without a sync; the next checkpoint has the rest.
"""

import logging

from ricordo.core.text import content
from ricordo.errors import RicordoError
from ricordo.flows.engine import Engine
from ricordo.flows.files import checkpoint as commits
from ricordo.flows.sync.sync import sync
from ricordo.model import Checkpoint

MANUAL = "manual"
_LONGEST_NOTE = 1_000
_log = logging.getLogger("ricordo")


def checkpoint(engine: Engine, space: str, note: str = MANUAL) -> Checkpoint | None:
    """Sync and commit under a note; None if nothing changed since the last commit."""
    told = " ".join(content.clean(note, "note", limit=_LONGEST_NOTE).split()) or MANUAL
    if commits.has_history(engine) and not engine.store.read_only:
        sync(engine, space)
    return commits.commit_or_raise(engine, space, f"checkpoint: {told}")


def close_session(engine: Engine, space: str, session: str) -> str | None:
    """Sync and commit at the end of a session; the id of the commit, None if there was none.

    What fails is logged and made up for by the next checkpoint: a session always ends.
    """
    if not commits.has_history(engine) or engine.store.read_only:
        return None
    try:
        sync(engine, space)
    except (RicordoError, OSError) as error:
        _log.warning("space %r was not synced at the end of %r: %s", space, session, error)
    return commits.commit(engine, space, f"session-close: {session}")
