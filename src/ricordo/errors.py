"""The one tree of errors. A message says what happened, with the value, and what to do.

RicordoError
├── NotFound
├── Conflict
│   ├── StaleEpoch
│   ├── NameTaken
│   ├── OutOfOrder
│   └── ClaimLost
├── InvalidInput          also a ValueError
├── Unavailable           also an ImportError; names the install line
└── StoreError            the driver's error is its cause
    ├── Busy
    ├── Corrupt
    ├── DiskFull
    ├── KeyNeeded         the file is encrypted and no key was given
    ├── NewerSchema
    ├── OutcomeUnknown    the write may have been kept
    └── WrongKey          the file is encrypted with another key
"""

import re
import reprlib


class RicordoError(Exception):
    """Anything ricordo raises on purpose."""


class NotFound(RicordoError):
    """What was asked for is not in this space."""


class Conflict(RicordoError):
    """The write would contradict what is already there."""


class StaleEpoch(Conflict):
    """Somebody else wrote the summary since its epoch was read."""


class NameTaken(Conflict):
    """The name or alias already belongs to another entry of the space."""


class OutOfOrder(Conflict):
    """The given seq does not rise above the last one of the session."""


class ClaimLost(Conflict):
    """The lease ran out and another worker holds the claim."""


class InvalidInput(RicordoError, ValueError):
    """The value given cannot be used; nothing was changed."""


class Unavailable(RicordoError, ImportError):
    """An optional part is not installed or cannot be reached."""


class StoreError(RicordoError):
    """The database refused; its own error is the cause."""


class Busy(StoreError):
    """Another process kept the database locked for too long."""


class Corrupt(StoreError):
    """The file is damaged, or is not a memory at all."""


class DiskFull(StoreError):
    """There is no room for the write, or a limit on the size of files forbids it."""


class KeyNeeded(StoreError):
    """The file is encrypted, and no key was given."""


class NewerSchema(StoreError):
    """The file was written by a newer ricordo."""


class OutcomeUnknown(StoreError):
    """The write may have been kept or not; read it back before it is repeated."""


class WrongKey(StoreError):
    """The file is encrypted with another key than the one given."""


def shorten(value: object) -> str:
    """A value as a message can hold it: cut short, and never failing, however deep it is."""
    try:
        return _SHORT.repr(value)
    except Exception:  # noqa: BLE001 - its own repr fails
        return f"<{type(value).__name__}>"


def without_password(url: str) -> str:
    """A URL as a message can hold it; whatever a password is made of, and tokens likewise."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    place, _, query = rest.partition("?")
    user, at, host = place.rpartition("@")
    pairs = [pair for pair in query.split("&") if pair and not _SECRET.match(pair)]
    told = f"{scheme}://{user.partition(':')[0]}{at}{host}"
    return f"{told}?{'&'.join(pairs)}" if pairs else told


_SECRET = re.compile(r"[^=]*(password|token)", re.IGNORECASE)
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 200
