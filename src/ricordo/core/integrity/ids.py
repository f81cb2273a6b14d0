"""Public ids: UUID version 7 (RFC 9562), which sort by time. Time and randomness are arguments.

Version 8 is for ids that are made from names: the same names, the same id.
"""

import re
from hashlib import sha256

from ricordo.errors import InvalidInput

RANDOM_BYTES = 10
_LAST_MS = (1 << 48) - 1
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


def uuid7(at_us: int, random: bytes) -> str:
    """Make the id of an instant (microseconds since the epoch) from ten random bytes.

    The microseconds within the millisecond fill the high bits of rand_a, so ids of one
    process sort by microsecond; the rest is random.
    """
    at_ms, fraction = divmod(at_us, 1000)
    if not 0 <= at_ms <= _LAST_MS:
        raise InvalidInput(f"time {at_us} µs cannot be in an id; it must lie in 1970 to 10889")
    if len(random) != RANDOM_BYTES:
        raise InvalidInput(f"an id needs {RANDOM_BYTES} random bytes, not {len(random)}")
    third = 0x7000 | fraction << 2 | random[0] >> 6
    fourth, last = 0x80 | random[2] & 0x3F, random[3:].hex()
    return f"{at_ms >> 16:08x}-{at_ms & 0xFFFF:04x}-{third:04x}-{fourth:02x}{last[:2]}-{last[2:]}"


def uuid8(*names: str) -> str:
    """Make an id from names; nothing can be read from it."""
    told = "".join(f"{len(name)}:{name}" for name in names)
    raw = bytearray(sha256(told.encode()).digest()[:16])
    raw[6] = 0x80 | raw[6] & 0x0F
    raw[8] = 0x80 | raw[8] & 0x3F
    digits = raw.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def is_uuid(text: object) -> bool:
    """Tell whether this is the text of a UUID of any version."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None
