"""Compaction: the names of archives and files, and a log as Markdown. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from ricordo.core.conversation.messages import words
from ricordo.model import Event

LONGEST = 50  # characters of a name made from a text
PARAGRAPH = 2_000  # characters of one event in the Markdown file
FALLBACK = "archive"
_RUNS = re.compile(r"[^a-z0-9]+")


def plain_name(text: str) -> str:
    """Lowercase letters, digits and dashes, 50 at most; empty if the text has none of them."""
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    # Marks are dropped, so that "Zürich" reads "zurich"; other scripts leave nothing.
    return _RUNS.sub("-", folded).strip("-")[:LONGEST].strip("-")


def next_name(base: str, taken: Iterable[str]) -> str:
    """BASE-N with N one above the highest in use; a number with leading zeros is not one."""
    prefix = f"{base}-"
    numbers = [0]
    for name in taken:
        rest = name.removeprefix(prefix)
        if name.startswith(prefix) and rest.isascii() and rest.isdigit() and rest[0] != "0":
            numbers.append(int(rest))
    return f"{prefix}{max(numbers) + 1}"


def file_name(name: str, at: datetime) -> str:
    """The name of the Markdown file; a name without a letter gives way to the time of day."""
    day = at.astimezone(UTC)
    return f"{day:%Y-%m-%d}-{plain_name(name) or f'conversation-{day:%H%M}'}.md"


def markdown(name: str, events: Sequence[Event], at: datetime) -> str:
    """A log as Markdown: what people and assistants said, a paragraph each."""
    day = at.astimezone(UTC)
    parts = [f"# {name}", f"Archived: {day:%Y-%m-%d %H:%M} UTC", "---"]
    for event in events:
        said = words(event).strip()
        if event.kind == "message" and event.role in ("user", "assistant") and said:
            cut = said if len(said) <= PARAGRAPH else said[:PARAGRAPH] + "..."
            parts.append(f"**{event.name or event.role.capitalize()}**: {cut}")
    return "\n\n".join(parts) + "\n"


def placeholder(name: str) -> str:
    """What stands in the place of an archive that is gone."""
    return f"[the archive {name!r} of the earlier conversation is missing]"
