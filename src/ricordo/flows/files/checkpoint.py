"""Commits of a space's workspace, and their list. A sync writes the memory there first."""

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ricordo.errors import InvalidInput, RicordoError
from ricordo.flows.engine import Engine, whole
from ricordo.flows.files.folder import files_of
from ricordo.model import Checkpoint
from ricordo.workspace.files import Files

if TYPE_CHECKING:
    from ricordo.workspace.history import History

MOST = 100  # checkpoints of one list
BODY_LINES, BODY_WIDTH = 20, 80
_log = logging.getLogger("ricordo")


def has_history(engine: Engine) -> bool:
    """Whether the files of spaces have a history."""
    return bool(engine.settings.workspace) and engine.settings.workspace_git


def commit_or_raise(engine: Engine, space: str, subject: str, body: str = "") -> Checkpoint | None:
    """Commit what changed; None if nothing did."""
    files = files_of(engine, space)
    if files is None or not has_history(engine):
        raise InvalidInput(
            "this memory keeps no history of files; set workspace to a folder and workspace_git "
            "to true"
        )
    with files.lock():
        kept = partial(_is_kept, engine, files)
        return _history(files, space, kept).commit(subject, _clip(body), engine.clock())


def commit(engine: Engine, space: str, subject: str, body: str = "") -> str | None:
    """Commit what changed after something else was done; the id, None if there was no commit.

    A commit that fails is logged and made up for by the next: what came before it stays done.
    """
    if not has_history(engine) or engine.store.read_only:
        return None
    try:
        made = commit_or_raise(engine, space, subject, body)
    except RicordoError as error:
        _log.warning("space %r has no commit %r: %s", space, subject, error)
        return None
    return None if made is None else made.id


def checkpoints(engine: Engine, space: str, limit: int, *, diff: bool = False) -> list[Checkpoint]:
    """The newest checkpoints first; with `diff` the first says what changed since the last one."""
    count = min(max(whole(limit, "limit", -(2**31), 2**31), 1), MOST)
    files = files_of(engine, space)
    if files is None or not files.exists():
        return []
    history = _history(files, space)
    found = history.log(count)
    if diff and len(found) > 1:
        found[0] = replace(found[0], diff=history.diff(found[-1].id))
    return found


def _is_kept(engine: Engine, files: Files, path: str) -> bool:
    """Whether a file may be committed: not if redaction would change it, or cannot look at it."""
    if engine.redact is None:
        return True
    try:
        held = files.read(path) or ""
    except InvalidInput:
        return False
    return engine.redact_text(path) == path and engine.redact_text(held) == held


def _history(files: Files, space: str, is_kept: Callable[[str], bool] = bool) -> "History":
    from ricordo.workspace.history import History  # subprocess, for those who want git only

    return History(files, space, is_kept)


def _clip(body: str) -> str:
    return "\n".join(line[:BODY_WIDTH] for line in body.splitlines()[:BODY_LINES])
