"""Free JSON: what callers may hang on an entry, a message or a document, within depth and size."""

from collections.abc import Mapping

from ricordo.config import Settings
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.engine import shallow
from ricordo.model import Json
from ricordo.store.codec import dumps

_WIDEST = 24  # bytes of JSON that one counted byte can become: a number with all its digits


def pack_metadata(metadata: Mapping[str, Json], settings: Settings) -> str:
    """The JSON text of metadata that can be kept, or InvalidInput."""
    if not isinstance(metadata, Mapping):
        raise InvalidInput(f"metadata {shorten(metadata)} is not an object; give names with values")
    check_size(metadata, "metadata", settings)
    return dumps(dict(metadata), "metadata")


def check_size(value: Json, what: str, settings: Settings) -> None:
    """Refuse JSON that is nested too deeply or takes too many bytes.

    What is far too large is refused before it is written out, which would take many times its room.
    """
    shallow(value, what, settings.max_depth)
    limit, least = settings.max_metadata, count_least(value)
    if least * _WIDEST <= limit:
        return
    is_huge = least > 2 * limit
    size = least if is_huge else len(dumps(_plain(value), what).encode())
    if size > limit:
        about = "at least " if is_huge else ""
        raise InvalidInput(
            f"{what} takes {about}{size:,} bytes as JSON, the limit is {limit:,}; keep less there, "
            "or raise the setting max_metadata"
        )


def count_least(value: object) -> int:
    """The fewest bytes that a value can take as JSON; it goes round in no circle."""
    total, waiting = 0, [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            total += 2 + len(each)
        elif isinstance(each, Mapping):
            total += max(2, 1 + 2 * len(each))
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple):
            total += max(2, 1 + len(each))
            waiting += each
        else:
            total += 1 + (each.bit_length() // 20 if isinstance(each, int) else 0)
    return total


def _plain(value: Json) -> Json:
    return dict(value) if isinstance(value, Mapping) else value
