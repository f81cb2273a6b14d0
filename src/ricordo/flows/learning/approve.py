"""Approve: keep the user's answers about commands, and judge commands by them.

Answers for good are rows. Those for this session or for once live in the process that got them,
and are gone when the memory is closed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ricordo.core.learning import approvals
from ricordo.core.learning.approvals import RuledPrefix
from ricordo.errors import InvalidInput, NotFound, shorten
from ricordo.flows.engine import Engine, one_of
from ricordo.locks import Lock
from ricordo.model import ORIGINS, SCOPES, Approval, Receipt, Scope, Verdict
from ricordo.store.codec import moment
from ricordo.store.database import Tx
from ricordo.store.tables.approvals import ApprovalRow

Command = str | Sequence[str]
_MAKING = Lock()
MOST = 1_000  # answers of one space that are kept in RAM
UNTRUSTED = ("tool", "web", "import")  # what comes from there is never run unasked


class Given(NamedTuple):
    """An answer that is kept in RAM."""

    ruled: RuledPrefix
    scope: Scope
    at: int


class Answers:
    """Answers that last no longer than this opening of the memory, by space.

    Beyond MOST in one space the oldest is given up: what it was about is asked again.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._given: dict[str, list[Given]] = {}

    def add(self, space: str, given: Given) -> None:
        with self._lock:
            known = self._given.setdefault(space, [])
            known[:] = [one for one in known if one.ruled.words != given.ruled.words]
            known.append(given)
            del known[:-MOST]

    def of(self, space: str) -> list[Given]:
        with self._lock:
            return list(self._given.get(space, ()))

    def drop_space(self, space: str) -> None:
        """Delete every answer of a space."""
        with self._lock:
            self._given.pop(space, None)

    def move(self, space: str, new: str) -> None:
        """Let the answers of a space follow its name."""
        with self._lock:
            if (given := self._given.pop(space, None)) is not None:
                self._given[new] = given

    def drop(self, space: str, words: tuple[str, ...]) -> int:
        """Delete an answer, or use one up; how many there were."""
        with self._lock:
            known = self._given.get(space, [])
            before = len(known)
            known[:] = [one for one in known if one.ruled.words != words]
            if not known:
                self._given.pop(space, None)
            return before - len(known)


def approve(engine: Engine, space: str, words: Command, *, allow: bool, scope: Scope) -> Approval:
    """Keep an answer: for good, for as long as the memory is open, or for one command."""
    one_of(scope, "scope", SCOPES)
    if not isinstance(allow, bool):
        raise InvalidInput(f"allow is {shorten(allow)}; give True to allow, False to deny")
    ruled = RuledPrefix(approvals.prefix(words), allow)
    now = engine.now()
    if scope != "always":
        _answers(engine).add(space, Given(ruled, scope, now))
        return Approval(space, ruled.words, allow, scope, moment(now))

    def work(tx: Tx) -> int:
        number = engine.ensure_space(tx, space)
        return tx.approvals.put(number, ApprovalRow(ruled.words, allow, now))

    return Approval(space, ruled.words, allow, scope, moment(engine.store.write(work)))


def list_approvals(engine: Engine, space: str) -> list[Approval]:
    """Every answer that holds at the moment, the oldest first."""
    kept = [Approval(space, words, allow, "always", moment(at)) for words, allow, at in
            _rows(engine, space)]  # fmt: skip
    passing = [
        Approval(space, one.ruled.words, one.ruled.allow, one.scope, moment(one.at))
        for one in _answers_in_ram(engine, space)
    ]
    return [*kept, *passing]


def verdict(
    engine: Engine, space: str, command: Command, *, trusted: bool = False, origin: str = "agent"
) -> Verdict:
    """Judge a command; an answer given for once is used up by the command that it is about."""
    one_of(origin, "origin", ORIGINS)
    known = list_approvals(engine, space)
    ruling = approvals.rule(command, [RuledPrefix(one.words, one.allow) for one in known])
    by = _by(known, ruling.by)
    if by is not None and ruling.answer == "deny":
        if by.scope == "once":
            _answers(engine).drop(space, by.words)
        return Verdict("deny", ruling.reason, by)
    if origin in UNTRUSTED:
        return Verdict("ask", f"it comes from {origin!r}, which is always asked about")
    if trusted and ruling.is_open and ruling.answer != "allow":
        reason = "something is denied that it could do; only one plain command is trusted then"
        return Verdict("ask", reason)
    if trusted:
        return Verdict("allow", "the run is trusted")
    # Two commands at once may both find the answer; only one of them uses it up.
    if by is not None and by.scope == "once" and not _answers(engine).drop(space, by.words):
        return Verdict("ask", "the answer was given for one command and is used up")
    return Verdict(ruling.answer, ruling.reason, by)


def forget(engine: Engine, space: str, words: Command) -> Receipt:
    """Delete an answer, wherever it is stored."""
    prefix = approvals.prefix(words)
    passing = _answers(engine).drop(space, prefix)

    def work(tx: Tx) -> int:
        number = tx.spaces.number(space)
        return 0 if number is None else tx.approvals.delete(number, prefix)

    rows = engine.store.write(work) if any(r.words == prefix for r in _rows(engine, space)) else 0
    if not rows and not passing:
        raise NotFound(f"nothing was answered about {' '.join(prefix)!r} in space {space!r}")
    return Receipt(
        space=space,
        target=" ".join(prefix),
        removed={"approvals": rows + passing},
        at=moment(engine.now()),
    )


def _rows(engine: Engine, space: str) -> list[ApprovalRow]:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        return [] if number is None else tx.approvals.all(number)


def _answers_in_ram(engine: Engine, space: str) -> list[Given]:
    return [] if engine.answers is None else engine.answers.of(space)


def _answers(engine: Engine) -> Answers:
    with _MAKING:
        if engine.answers is None:
            engine.answers = Answers()
        return engine.answers


def _by(known: list[Approval], ruled: RuledPrefix | None) -> Approval | None:
    """The approval behind a ruling; one that lasts comes before one that is used up."""
    found = [one for one in known if ruled is not None and (one.words, one.allow) == ruled]
    return min(found, key=lambda one: SCOPES.index(one.scope), default=None)
