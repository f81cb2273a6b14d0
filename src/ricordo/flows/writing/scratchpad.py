"""Scratchpad: a short list of lines per session, replaced whole."""

from collections.abc import Iterable
from datetime import datetime

from ricordo.core.integrity import chain
from ricordo.core.text import content
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, whole
from ricordo.model import ScratchpadWrite
from ricordo.store.codec import dumps, moment
from ricordo.store.database import Tx

MOST_LINES = 32
LONGEST_LINE = 240  # characters


def read(engine: Engine, space: str, session: str) -> list[str]:
    """The lines as they stand; none is an empty list."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return [] if number is None else tx.scratchpads.get(number, session)


def written_at(engine: Engine, space: str, session: str) -> datetime | None:
    """When the lines were last written, or None if there are none."""
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        at = None if number is None else tx.scratchpads.written_at(number, session)
        return None if at is None else moment(at)


def write(
    engine: Engine, space: str, session: str, lines: Iterable[str], max_bytes: int | None
) -> ScratchpadWrite:
    """Replace all lines; a refused list leaves the old one."""
    kept = check_lines(lines, max_bytes)
    now = engine.now()

    def work(tx: Tx) -> ScratchpadWrite:
        number = engine.ensure_space(tx, space)
        tx.sessions.touch(number, session, now, chain.START)
        if tx.scratchpads.get(number, session) == kept:
            return ScratchpadWrite(updated=False, item_count=len(kept))
        tx.scratchpads.put(number, session, kept, now)
        return ScratchpadWrite(updated=True, item_count=len(kept))

    return engine.store.write(work)


def clear(engine: Engine, space: str, session: str) -> bool:
    """Take all lines away; whether there were any."""

    def work(tx: Tx) -> bool:
        number = tx.spaces.number(space)
        return number is not None and bool(tx.scratchpads.delete(number, session))

    return engine.store.write(work)


def check_lines(lines: Iterable[str], max_bytes: int | None = None) -> list[str]:
    """The lines trimmed and without blanks, or InvalidInput."""
    if isinstance(lines, str) or not isinstance(lines, Iterable):
        raise InvalidInput(f"a scratchpad is a list of lines, not {type(lines).__name__}")
    given = list(lines)
    if len(given) > MOST_LINES:
        raise InvalidInput(f"{len(given)} lines are too many; a scratchpad holds {MOST_LINES}")
    trimmed = [content.clean(line, "a line").strip() for line in given]
    kept = [line for line in trimmed if line]
    if not kept:
        raise InvalidInput("the scratchpad would be empty; clear it instead")
    for place, line in enumerate(kept):
        if len(line) > LONGEST_LINE:
            raise InvalidInput(
                f"line {place + 1} has {len(line)} characters, the limit is {LONGEST_LINE}; "
                "shorten it or remember it as an entry"
            )
    size = len(dumps(kept, "scratchpad").encode())
    if max_bytes is not None and size > whole(max_bytes, "max_bytes", 0, 2**31):
        raise InvalidInput(f"the scratchpad has {size:,} bytes, the limit given is {max_bytes:,}")
    return kept
