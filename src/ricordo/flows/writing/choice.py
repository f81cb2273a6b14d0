"""Choice: whether a caller names what to delete or has filters choose it, and never everything."""

from collections.abc import Iterable
from typing import NamedTuple

from ricordo.core.recall.where import Where, parse_where
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine
from ricordo.flows.writing.read import check_filter
from ricordo.store.tables.entries import EntryFilter


class Choice(NamedTuple):
    """The entries that filters and conditions let through."""

    page: EntryFilter
    where: Where | None


def check_choice(
    engine: Engine,
    kind: str | None,
    category: str | None,
    tags: Iterable[str] | None,
    prefix: str | None,
    where: object,
) -> Choice:
    """A choice that leaves something out, or InvalidInput."""
    page, conditions = check_filter(engine, kind, category, tags, prefix), parse_where(where)
    given = (page.kind, page.category, page.tags or None, page.prefix, conditions)
    if all(each is None for each in given):
        raise InvalidInput(
            "nothing says what to forget; give a name, or a filter such as tags or where. "
            "Erasing a space takes everything out of it"
        )
    return Choice(page, conditions)


def refuse_both(name: object, *filters: object) -> None:
    """Refuse a name together with filters: it is not clear which of them counts."""
    if any(each is not None for each in filters):
        raise InvalidInput(f"forget takes a name or filters, not both; leave out {name!r:.80}")
