"""Canaries: words and vectors that stand nowhere else, and how often their bytes are found.

They share no beginning with the words around them.
"""

import numpy as np

import ricordo

SECRET = "Zyxomma petiolatum passport 7731-QX"
OTHER = "Vqarble the brillig wabe 5519-KJ"
NEIGHBOURS = [f"ordinary note number {number} about the harbour" for number in range(40)]


class Marked:
    """An embedder whose vectors are told apart by their bytes."""

    dim = 64
    name = "marked"

    def embed(self, texts):
        return [np.random.default_rng(sum(text.encode())).normal(size=self.dim) for text in texts]


def more(memory: ricordo.Memory) -> None:
    for number, text in enumerate(NEIGHBOURS[20:], start=20):
        memory.space("ana").remember(text, name=f"n{number}")
    memory.flush()


def hits(memory: ricordo.Memory, *needles: bytes) -> int:
    """How often any of these stands in the database and its WAL, decrypted."""
    found = [b"".join(blocks) for blocks in memory._engine.store.read_files(1 << 20)]
    assert found
    return sum(content.count(needle) for content in found for needle in needles)


def vectors(memory: ricordo.Memory, chunks: str) -> list[bytes]:
    raw = memory._engine.store._open_writer().raw
    return [
        row[0] for row in raw.execute(f"SELECT vector FROM embeddings WHERE chunk IN ({chunks})")
    ]


def vector_of_entry(memory: ricordo.Memory, name: str) -> bytes:
    entry = memory.space("ana").get(name).id
    [vector] = vectors(memory, f"SELECT chunk FROM chunks WHERE entry = {entry}")
    return vector


def talk(memory: ricordo.Memory) -> ricordo.Session:
    chat = memory.space("ana").session("Snicker-snack")
    chat.append("user", SECRET, importance=0.9, name="Frumious")
    chat.append("assistant", None, tool_calls=[{"function": {"name": "f", "arguments": OTHER}}])
    chat.append("user", "My dog is called Jabberwock-Xq.", importance=0.9)
    chat.write_scratchpad(["remember the Tumtum-Tree-Zq"])
    return chat


CANARIES = (SECRET, OTHER, "Zyxomma", "Vqarble", "Frumious", "Jabberwock", "Tumtum-Tree",
            "Snicker-snack")  # fmt: skip
