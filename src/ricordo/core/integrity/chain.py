"""The hash chain of a session: a lost tail or a flipped bit shows, an erased payload does not.

The chain holds digests, not payloads, and a digest is keyed: without the key, erased text cannot
be guessed from it.
"""

from ricordo.core.text.content import hasher
from ricordo.errors import InvalidInput

START = bytes(32)  # what stands before the first event


def digest(key: bytes, payload: bytes) -> bytes:
    """Hash a payload under the 32-byte key of its memory."""
    if len(key) != 32:
        raise InvalidInput(f"the chain key has {len(key)} bytes; it must have 32")
    value: bytes = hasher()(payload, key=key).digest()
    return value


def link(previous: bytes, seq: int, digest: bytes) -> bytes:
    """Chain one event's digest, at its seq, onto everything before it."""
    value: bytes = hasher()(previous + seq.to_bytes(8, "big") + digest).digest()
    return value
