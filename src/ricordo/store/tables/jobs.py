"""Jobs of the keeper: one row of `meta` each, read and swapped as a whole."""

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ricordo.store.database import Tx

_KEY = "job_"


class JobRow(NamedTuple):
    """A job as it is kept; `raw` is what a swap compares."""

    raw: str
    values: dict[str, int | str | None]


class Jobs:
    def __init__(self, tx: "Tx") -> None:
        self._tx = tx

    def get(self, name: str) -> JobRow | None:
        row = self._tx.row("meta.get", key=_KEY + name)
        if row is None:
            return None
        raw = str(row[0])
        try:
            values = json.loads(raw)
        except ValueError:
            values = None
        return JobRow(raw, values if isinstance(values, dict) else {})

    def create(self, name: str, values: dict[str, int | str | None]) -> None:
        """Keep a job that is new; one that others have created stays."""
        self._tx.rows("meta.create", key=_KEY + name, value=json.dumps(values))

    def swap(self, name: str, before: JobRow, values: dict[str, int | str | None]) -> bool:
        """Replace a job if it is still as it was read."""
        after = json.dumps(values)
        return bool(self._tx.rows("meta.swap", key=_KEY + name, before=before.raw, value=after))
