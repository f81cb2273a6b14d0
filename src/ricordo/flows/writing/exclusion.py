"""Exclusion: the sessions, entries and documents that a caller leaves out."""

from collections.abc import Iterable
from typing import NamedTuple

from ricordo.core.text import content
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.writing.document_rows import to_file_uri
from ricordo.flows.writing.entry_names import address, resolve
from ricordo.store.database import Tx

MOST = 10_000
Excluded = tuple[str | int, ...]


class ExcludedNumbers(NamedTuple):
    """What is left out: names of sessions, numbers of entries and documents."""

    sessions: tuple[str, ...]
    entries: tuple[int, ...]


def check_exclude(given: object) -> Excluded | None:
    """The names and numbers to leave out, or InvalidInput; one alone is a list of one."""
    if given is None:
        return None
    if isinstance(given, str | int):
        given = [given]
    if not isinstance(given, Iterable):
        raise InvalidInput(
            f"exclude is {shorten(given)}; give names of sessions or entries, or the objects"
        )
    listed = tuple(address(each) for each in given)
    if len(listed) > MOST:
        raise InvalidInput(f"exclude has {len(listed):,} names; give up to {MOST:,}")
    return listed


def check_prefix(given: str | None, what: str) -> str | None:
    """How names or URIs have to begin, or InvalidInput."""
    if given is None:
        return None
    cleaned = content.clean(given, what)
    if not cleaned:
        raise InvalidInput(f"{what} is empty; leave it out, or say how it begins")
    return cleaned


def find_excluded(tx: Tx, space: int, names: Excluded) -> ExcludedNumbers:
    """A name stands for the session, the entry and the document of that name, where they are."""
    found = [resolve(tx, space, name) for name in names]
    texts = tuple(name for name in names if isinstance(name, str))
    uris = {uri for name in texts for uri in (name, to_file_uri(name)) if uri is not None}
    found += [tx.documents.number(space, uri) for uri in sorted(uris)]
    return ExcludedNumbers(texts, tuple(number for number in found if number is not None))


def find_documents(tx: Tx, space: int, prefix: str) -> set[int]:
    """Documents whose URI begins so; a path stands for the files at it and below it."""
    found = tx.documents.find_by_prefix(space, prefix)
    file = to_file_uri(prefix)
    if file is not None:
        found |= tx.documents.find_by_prefix(space, f"{file}/" if prefix[-1] == "/" else file)
    return found
