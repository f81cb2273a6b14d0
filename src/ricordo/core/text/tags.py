"""Tags: the labels a caller gives, brought to one form. Too many or too long is not an error."""

from collections.abc import Iterable

from ricordo.core.text.content import clean
from ricordo.errors import InvalidInput

MOST = 16
LONGEST = 64


def normalise(tags: Iterable[str]) -> tuple[str, ...]:
    """Trim, lower, cut at 64 characters, drop blanks and repeats, keep the first 16."""
    if isinstance(tags, str | bytes) or not isinstance(tags, Iterable):
        raise InvalidInput(f"tags is {tags!r}, not a list; pass a list such as ['work']")
    seen: dict[str, None] = {}
    for tag in tags:
        if label := clean(tag, "tag").strip().lower()[:LONGEST]:
            seen[label] = None
            if len(seen) == MOST:
                break
    return tuple(seen)
