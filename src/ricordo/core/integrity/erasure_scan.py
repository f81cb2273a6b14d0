"""Erasure scan: what to look for in bytes, and whether a block holds it. Pure."""

import re
from collections.abc import Iterable, Iterator

from ricordo.model import Json

SHORTEST = 8  # bytes; anything shorter is found in every file by chance
WINDOW = 40  # characters, short enough to lie within one page of a file
PIECES = 3  # of a text that is looked for
_FEW = 32  # probes up to which plain searching is faster than numbers
_ESCAPED = re.compile(r'[\x00-\x1f"\\]+')  # what JSON writes in another way
_WORD = 8  # bytes of the number that stands for the beginning of a probe


def probes(text: str) -> set[str]:
    """Parts of a text that betray it, as they stand in a row, in JSON and in Markdown alike."""
    pieces = sorted(_ESCAPED.split(text), key=len, reverse=True)[:PIECES]
    windows = {window for piece in pieces for window in (piece[:WINDOW], piece[-WINDOW:])}
    return {window for window in windows if len(window.strip().encode()) >= SHORTEST}


def texts(value: Json) -> Iterator[str]:
    """Every text in a JSON value; the names of its fields are everybody's."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


def probe_of(vector: bytes) -> bytes | None:
    """The part of a vector's bytes that betrays it; None if there is nothing special about it."""
    window = vector[:WINDOW]
    return window if len(set(window)) > SHORTEST else None


def find_probes(block: bytes, wanted: Iterable[bytes]) -> set[bytes]:
    """Which of the probes stand in a block of bytes."""
    probes = set(wanted)
    if len(probes) <= _FEW:
        return {probe for probe in probes if probe in block}
    lengths: dict[bytes, set[int]] = {}
    for probe in probes:
        lengths.setdefault(probe[:_WORD], set()).add(len(probe))
    seen = set()
    for place in _find_beginnings(block, lengths):
        for length in lengths[block[place : place + _WORD]]:
            if (part := block[place : place + length]) in probes:
                seen.add(part)
    return seen


def _find_beginnings(block: bytes, beginnings: Iterable[bytes]) -> Iterator[int]:
    """Where one of many beginnings of eight bytes stands in a block, at any offset."""
    import numpy as np

    keys = np.array(sorted(int.from_bytes(part, "little") for part in beginnings), np.uint64)
    for shift in range(_WORD):
        count = (len(block) - shift) // _WORD
        if count <= 0:
            break
        words = np.frombuffer(block, "<u8", count, shift)
        places = np.minimum(np.searchsorted(keys, words), len(keys) - 1)
        for hit in np.flatnonzero(keys[places] == words):
            yield shift + _WORD * int(hit)
