"""Groups: the session of a message, an entry, or the passage of a file; each with a code. Pure."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ricordo.core.recall.chunk_rows import Row

_GROUP = 150  # bytes in RAM: a key, its tuple, its places in a list and a dict


class GroupKey(NamedTuple):
    """What a group is known by: a session, or the number of an entry, or its passage."""

    session: str | None
    number: int = 0  # of an entry; below zero that of a chunk that belongs to nothing
    seq: int = -1  # of a passage

    @property
    def entry(self) -> int | None:
        return self.number if self.number > 0 else None


def key_of(row: "Row") -> GroupKey:
    """The group of a row."""
    if row.kind == "file":
        return GroupKey(None, row.entry or 0, row.seq)
    if row.session is not None:
        return GroupKey(row.session)
    return GroupKey(None, -row.chunk if row.entry is None else row.entry)


class Groups:
    """Groups by code, in order of appearance."""

    __slots__ = ("_codes", "keys")

    def __init__(self, keys: Iterable[GroupKey] = ()) -> None:
        self.keys: list[GroupKey] = list(keys)
        self._codes = {key: code for code, key in enumerate(self.keys)}

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def nbytes(self) -> int:
        """About what they take in RAM."""
        return _GROUP * len(self.keys)

    def code(self, key: GroupKey) -> int:
        """The code of a group, a new one for a new group."""
        code = self._codes.setdefault(key, len(self.keys))
        if code == len(self.keys):
            self.keys.append(key)
        return code

    def list_codes(self, rows: "Sequence[Row]") -> list[int]:
        """The code of the group of each row; most rows are of sessions that come again."""
        known: dict[str, int] = {}
        codes = []
        for row in rows:
            session = row.session
            code = -1 if session is None or row.kind == "file" else known.get(session, -1)
            if code < 0:
                code = self.code(key_of(row))
                if session is not None and row.kind != "file":
                    known[session] = code
            codes.append(code)
        return codes

    def find_session(self, session: str) -> int:
        """The code of a session, -1 if it is not here."""
        return self._codes.get(GroupKey(session), -1)

    def choose(self, codes: Sequence[int]) -> "Groups":
        """Some of the groups, numbered in this order."""
        return Groups(self.keys[code] for code in codes)
