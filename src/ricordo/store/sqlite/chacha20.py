"""ChaCha20 and Poly1305 as encrypted files use them: to look at pages, never to write them.

SQLite3 Multiple Ciphers does all the encrypting. A file that SQLite refuses, or that is scanned for
what was erased, is read here. A page ends with 16 random bytes and a tag of 16 bytes.
"""

import struct
from collections.abc import Sequence
from typing import Any

NONCE, TAG = 16, 16
TAIL = NONCE + TAG  # bytes at the end of each page
CLEAR = 24  # bytes at the beginning of the first page that are not encrypted
_WORD = 0xFFFFFFFF
_SIGMA = b"expand 32-byte k"
_PRIME = (1 << 130) - 5
_CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
_LANES = tuple((a, 4 + (a + s) % 4, 8 + (a + 2 * s) % 4, 12 + (a + 3 * s) % 4)
               for s in (0, 1) for a in range(4))  # fmt: skip


def make_block(key: bytes, nonce: bytes, counter: int) -> bytes:
    """64 bytes of the stream; enough to verify a page without loading numpy."""
    start = struct.unpack("<16I", _SIGMA + key + struct.pack("<I", counter & _WORD) + nonce[:12])
    state = list(start)
    for _ in range(10):
        for a, b, c, d in _LANES:
            for target, other, turned, by in _list_steps(a, b, c, d):
                state[target] = (state[target] + state[other]) & _WORD
                mixed = state[turned] ^ state[target]
                state[turned] = (mixed << by | mixed >> (32 - by)) & _WORD
    return struct.pack("<16I", *((x + y) & _WORD for x, y in zip(state, start, strict=True)))


def _list_steps(a: Any, b: Any, c: Any, d: Any) -> tuple[tuple[Any, Any, Any, int], ...]:
    """What is added to what, and which word is turned then; Any: numbers of words, or arrays."""
    return (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)


def has_tag(page: bytes, number: int, key: bytes) -> bool:
    """Whether a page was written with this key and has not changed since."""
    body, tag = page[:-TAG], page[-TAG:]
    once = make_block(key, body[-NONCE:], _count(body, number))
    factor = int.from_bytes(once[:16], "little") & _CLAMP
    total = 0
    for at in range(0, len(body), 16):
        total = (total + int.from_bytes(body[at : at + 16] + b"\1", "little")) * factor % _PRIME
    total += int.from_bytes(once[16:32], "little")
    return (total & ((1 << 128) - 1)).to_bytes(16, "little") == tag


def read_header(page: bytes, key: bytes) -> bytes:
    """The first 100 bytes of a file from its first page, except the 16 that name the format."""
    body = page[:-TAG]
    count, nonce = _count(body, 1), body[-NONCE:]
    inner = make_block(key, nonce, count)[32:]
    stream = b"".join(make_block(inner, nonce, count + 1 + block) for block in range(2))
    hidden = bytes(a ^ b for a, b in zip(page[CLEAR:100], stream, strict=False))
    return page[:CLEAR] + hidden


def decrypt_pages(content: bytes, numbers: Sequence[int], size: int, key: bytes) -> bytes:
    """Many pages at once, without a look at their tags: of a damaged page most is still right.

    A last piece that is shorter than a page stays as it is.
    """
    import numpy as np

    count, body = len(content) // size, size - TAIL
    pages = np.frombuffer(content, np.uint8, count * size).reshape(count, size).copy()
    tails = np.ascontiguousarray(pages[:, body : body + NONCE]).view("<u4")
    counters = tails[:, 3] ^ np.array(numbers[:count], np.uint32)
    keys = np.broadcast_to(np.frombuffer(key, "<u4"), (count, 8))
    once = _make_stream(keys, tails[:, :3], counters, 1)
    inner = np.ascontiguousarray(once[:, 32:]).view("<u4")
    stream = _make_stream(inner, tails[:, :3], counters + np.uint32(1), -(-body // 64))
    first = pages[0].copy() if count and numbers[0] == 1 else None
    pages[:, :body] ^= stream[:, :body]
    if first is not None:
        first[CLEAR:body] ^= stream[0, : body - CLEAR]
        pages[0] = first
    return pages.tobytes() + content[count * size :]


def _count(body: bytes, number: int) -> int:
    """Where the stream of a page begins."""
    return int.from_bytes(body[-4:], "little") ^ number


def _make_stream(keys: Any, nonces: Any, counters: Any, blocks: int) -> Any:  # Any: arrays
    """The streams of many pages, a row of bytes each."""
    import numpy as np

    count = len(counters)
    start = np.empty((16, count, blocks), np.uint32)
    start[0:4] = np.frombuffer(_SIGMA, "<u4")[:, None, None]
    start[4:12] = keys.T[:, :, None]
    start[12] = counters[:, None] + np.arange(blocks, dtype=np.uint32)
    start[13:16] = nonces.T[:, :, None]
    flat = start.reshape(16, count * blocks)
    state = flat.copy()
    rows = [state[at : at + 4] for at in (0, 4, 8, 12)]
    for _ in range(10):
        for turn in (1, -1):
            _mix(*rows)
            for step, row in enumerate(rows):
                row[:] = np.roll(row, -turn * step, 0)
    state += flat
    return np.ascontiguousarray(state.T).astype("<u4").view(np.uint8).reshape(count, blocks * 64)


def _mix(a: Any, b: Any, c: Any, d: Any) -> None:  # Any: arrays
    for target, other, turned, by in _list_steps(a, b, c, d):
        target += other
        turned ^= target
        turned[:] = turned << by | turned >> (32 - by)
