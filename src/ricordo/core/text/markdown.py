"""Notes as Markdown: an entry as a text with front matter, and back. Pure.

The front matter is a strict subset of YAML: `key: value` lines, where a value is plain text, a JSON
string, a list in brackets, or a list of `- item` lines. Unknown keys are refused, because writing
the file again would lose them.
"""

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ricordo.errors import InvalidInput
from ricordo.model import Entry

FENCE = "---"
KEYS = ("uid", "name", "aliases", "tags", "category", "kind", "origin", "updated")
LISTS = ("aliases", "tags")
SUFFIX = ".md"
LONGEST_STEM = 120  # characters of a file's name
LONGEST_STEM_BYTES = 180
CONFLICT = ".conflict-"

_PLAIN = re.compile(r"[^\W_](?:[\w ./@+()-]*[\w./@+()-])?")
_ITEM = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^",\[\]]+?)\s*(?:,|$)')
_UNSAFE = re.compile(r'[\\/:*?"<>|]+')
_CONFLICTING = re.compile(r"\.conflict-\d{4}-\d\d-\d\d-[0-9a-f]{8}\.md$")
_DEVICE = re.compile(
    r"^(con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?=\.|$)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class NoteFile:
    """What a file says. None is what it leaves out."""

    content: str
    uid: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    category: str | None = None
    kind: str | None = None


def render(entry: Entry) -> str:
    """An entry as the text of its file."""
    stamp = f"updated: {entry.updated_at.isoformat(timespec='seconds')}"
    return _text(entry, stamp)


def text_of(entry: Entry) -> str:
    """What an entry says, apart from when it was last said."""
    return _text(entry, "")


def _text(entry: Entry, stamp: str) -> str:
    lines = [
        FENCE,
        f"uid: {entry.uid}",
        f"name: {_scalar(entry.name)}",
        f"aliases: {_list(entry.aliases)}",
        f"tags: {_list(entry.tags)}",
        f"category: {_scalar(entry.category)}",
        f"kind: {entry.kind}",
        f"origin: {entry.origin}",
        *([stamp] if stamp else []),
        FENCE,
        "",
        entry.content,
    ]
    return "\n".join(lines) + "\n"


def parse(text: str) -> NoteFile:
    """What the text of a file says; InvalidInput if its front matter cannot be read."""
    text = text.removeprefix("\ufeff")
    if text.startswith(f"{FENCE}\r\n"):
        text = text.replace("\r\n", "\n")  # an editor made every line end so
    if not text.startswith(f"{FENCE}\n"):
        return NoteFile(_without_last_newline(text))
    head, fence, body = f"{text[len(FENCE) :]}\n".partition(f"\n{FENCE}\n")
    if not fence:
        raise InvalidInput(f"its front matter does not end; close it with a line of {FENCE}")
    content = _without_last_newline(body.removesuffix("\n").removeprefix("\n"))
    return _note(content, _values(head.split("\n")))


def agrees(note: NoteFile, entry: Entry) -> bool:
    """Whether a file says nothing that the entry does not say."""
    if note.content != entry.content or set(note.aliases or ()) - {*entry.aliases}:
        return False
    if note.aliases is not None and len(note.aliases) != len(entry.aliases):
        return False
    fields = ("name", "tags", "category", "kind")
    return all(getattr(note, each) in (None, getattr(entry, each)) for each in fields)


def stem(name: str) -> str:
    """A file's name for an entry, without its ending: readable, and allowed on any file system."""
    seen = "".join(
        " " if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp") else each
        for each in unicodedata.normalize("NFC", name)
    )
    plain = " ".join(_UNSAFE.sub("-", seen).split())[:LONGEST_STEM]
    plain = plain.encode()[:LONGEST_STEM_BYTES].decode(errors="ignore").strip(" .-")
    plain = unicodedata.normalize("NFC", plain)
    if not plain:
        return "note"
    return _DEVICE.sub(r"\1-", plain, count=1)


def number_stem(stem: str, number: int) -> str:
    """The next file's name to try when one is taken."""
    return f"{stem}{SUFFIX}" if number < 2 else f"{stem}-{number}{SUFFIX}"


def conflict_path(path: str, day: str, digest: str) -> str:
    """Where to keep what an entry said when its file was changed as well."""
    return f"{path.removesuffix(SUFFIX)}{CONFLICT}{day}-{digest[:8]}{SUFFIX}"


def is_conflict(path: str) -> bool:
    """Whether a file keeps one side of a conflict, rather than a note of its own."""
    return _CONFLICTING.search(path) is not None


def _without_last_newline(text: str) -> str:
    return text.removesuffix("\n")


def _scalar(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(_scalar(value) for value in values)}]"


def _values(lines: list[str]) -> dict[str, str | list[str]]:
    """Keys with their values; a key whose value is empty may have a list below it."""
    found: dict[str, str | list[str]] = {}
    key = ""
    for line in lines:
        if not line.strip():
            continue
        items = found.get(key)
        if line.lstrip().startswith("- ") and isinstance(items, list):
            items.append(_read_scalar(line.lstrip()[2:].strip(), key))
            continue
        key, value = _pair(line)
        if key in found:
            raise InvalidInput(f"its front matter has {key!r} twice; keep one")
        found[key] = _read(key, value)
    return found


def _pair(line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    if not colon or key != key.strip():
        raise InvalidInput(f"its front matter has the line {line!r}; write 'key: value'")
    if key not in KEYS:
        raise InvalidInput(f"its front matter has the key {key!r}; known are {', '.join(KEYS)}")
    return key, value.strip()


def _read(key: str, value: str) -> str | list[str]:
    if key not in LISTS:
        return _read_scalar(value, key)
    if not value:
        return []  # empty, or with `- item` lines to come
    if not (value.startswith("[") and value.endswith("]")):
        return [_read_scalar(value, key)]
    return _items(value[1:-1], key)


def _items(text: str, key: str) -> list[str]:
    items: list[str] = []
    at = 0
    while at < len(text) and text[at:].strip():
        found = _ITEM.match(text, at)
        if found is None:
            raise InvalidInput(f"its front matter has {key}: [{text}]; write [one, two]")
        items.append(_read_scalar(found[1], key))
        at = found.end()
    return items


def _read_scalar(value: str, key: str) -> str:
    if value[:1] == value[-1:] == "'" and len(value) > 1:
        return value[1:-1].replace("''", "'")
    if not value.startswith('"'):
        return value
    try:
        read = json.loads(value)
    except ValueError:
        read = None
    if not isinstance(read, str):
        raise InvalidInput(f"its front matter has {key}: {value}; close the quotes")
    return read


def _note(content: str, found: dict[str, str | list[str]]) -> NoteFile:
    """The values that a note keeps. Who wrote it and when is never taken from a file."""
    told = {key: value for key, value in found.items() if isinstance(value, str) and value}
    lists = {key: tuple(value) for key, value in found.items() if isinstance(value, list)}
    return NoteFile(
        content,
        told.get("uid"),
        told.get("name"),
        lists.get("aliases"),
        lists.get("tags"),
        told.get("category"),
        told.get("kind"),
    )
