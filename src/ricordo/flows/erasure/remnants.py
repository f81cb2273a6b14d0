"""Remnants: scan the files of a memory for what was erased. It reads and changes nothing.

A match may be legitimate, because another row holds the same words. So every match is looked up
among the living rows, and it counts as a remnant only if none of them holds it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ricordo.core.integrity import erasure_scan
from ricordo.flows.engine import Engine
from ricordo.flows.erasure import note_files
from ricordo.store.database import Tx

MOST = 50_000  # probes of one erasure; of more than that, these many stand for all
BLOCK = 8 * 1024 * 1024  # bytes read at a time
CHECKED = 64  # probes that are looked up one by one in every table
PAGE = 1_000  # entries read at a time


class ErasedParts(NamedTuple):
    """What to look for: parts of texts, and of vectors."""

    texts: frozenset[str]
    vectors: frozenset[bytes]

    @property
    def probes(self) -> set[bytes]:
        return {text.encode() for text in self.texts} | self.vectors


class Remnants(NamedTuple):
    """Traces, None if there is no file to look into; and words on living rows that say the same."""

    remnants: int | None
    copies: list[str]


def scan(engine: Engine, space: str, wanted: ErasedParts) -> Remnants:
    """Look into database, WAL and workspace."""
    probes = wanted.probes
    kept, shown = engine.store.read_files(BLOCK), note_files.plain(engine, space)
    in_store = _scan_files(kept, probes)
    in_files = {path: _scan_files([_read(path)], probes) for path in shown}
    held = [str(path) for path, found in in_files.items() if found]
    with engine.store.read() as tx:
        living = _find_living(tx, space, wanted, in_store)
    strays = in_store - set(living)
    notes = [f"{path}: it holds words of what was erased; look at it" for path in held]
    tables = sorted({table for found in living.values() for table in found})
    notes += [f"the same words stand in {table} of this space" for table in tables]
    found = len(strays) + len(held)
    return Remnants(
        found if kept or found else None, notes
    )  # in RAM or on a server: not looked into


def _scan_files(files: Iterable[Iterator[bytes]], probes: set[bytes]) -> set[bytes]:
    seen: set[bytes] = set()
    if probes:
        longest = max(map(len, probes))
        for blocks in files:
            for block in _overlap_blocks(blocks, longest):
                seen |= erasure_scan.find_probes(block, probes - seen)
    return seen


def _overlap_blocks(blocks: Iterator[bytes], overlap: int) -> Iterator[bytes]:
    """Pieces that overlap, so that nothing hides where they meet."""
    tail = b""
    for block in blocks:
        yield tail + block
        tail = block[-overlap:]


def _read(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                yield block
    except FileNotFoundError:
        return  # somebody took it away meanwhile


def _find_living(
    tx: Tx, space: str, wanted: ErasedParts, found: set[bytes]
) -> dict[bytes, list[str]]:
    """Probes that living rows hold; those of this space with the tables in which they stand."""
    own = tx.spaces.number(space)
    numbers = [each.space for each in tx.spaces.numbers()]
    living: dict[bytes, list[str]] = {}
    for probe in _vectors(tx, numbers, found & wanted.vectors):
        living[probe] = []
    texts = found - wanted.vectors
    if len(texts) > CHECKED:
        living |= {probe: [] for probe in _find_in_logs(tx, numbers, texts)}
    for probe in sorted(texts - set(living))[:CHECKED]:
        tables = {each: tx.upkeep.find_tables(each, probe.decode()) for each in numbers}
        if any(tables.values()) or tx.upkeep.is_in_schema(probe.decode()):
            living[probe] = tables.get(own or 0, [])
    return living


def _vectors(tx: Tx, spaces: list[int], found: set[bytes]) -> set[bytes]:
    """Those of the probes that begin a living vector or its signs, or a living record."""
    if not found:
        return set()
    held = {p for p in found if any(tx.records.has_bytes(space, p) for space in spaces)}
    return held | {
        probe
        for space in spaces
        for model in tx.embeddings.models()
        for _, stored in tx.embeddings.between(space, model.model, 0)
        for vector in _list_forms(stored)
        if (probe := erasure_scan.probe_of(vector)) in found
    }


def _list_forms(vector: bytes) -> list[bytes]:
    """A vector, and its signs as they stand in blocks."""
    from ricordo.core.recall.blocks import list_probes  # needs numpy, forgetting does not

    return [vector, *list_probes([vector])]


def _find_in_logs(tx: Tx, spaces: list[int], found: set[bytes]) -> set[bytes]:
    """Those of many probes that logs and entries hold, read through once."""
    living: set[bytes] = set()
    for space in spaces:
        for texts in _texts(tx, space):
            living |= erasure_scan.find_probes("\n".join(texts).encode(), found - living)
    return living


def _texts(tx: Tx, space: int) -> Iterator[list[str]]:
    for session in tx.sessions.recent(space, "", -1):
        log = tx.events.chain(space, session.session)
        yield [f"{event.content}\n{event.body}" for event in log]
    entries = tx.porting.entries(space)
    for start in range(0, len(entries), PAGE):
        rows = [tx.entries.row(space, entry) for entry in entries[start : start + PAGE]]
        yield [row.content for row in rows if row is not None]
    for document in tx.documents.list_by_prefix(space, ""):
        yield [document.text]
    for row in tx.records.all(space):
        yield [row.key, row.path, row.texts, row.metadata, row.value or ""]
