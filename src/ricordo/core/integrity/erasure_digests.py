"""Erasure digests: they tell what was erased without saying what it was. Keyed, pure."""

from ricordo.core.integrity import chain
from ricordo.core.text import content as text

_UID, _CONTENT, _SESSION = b"uid\0", b"content\0", b"session\0"


def of_uid(key: bytes, uid: str) -> bytes:
    """The tomb of an entry or event, known by its uid."""
    return chain.digest(key, _UID + uid.lower().encode())


def of_content(key: bytes, content: str) -> bytes:
    """The tomb of what an entry said, under whatever uid it comes back."""
    return chain.digest(key, _CONTENT + text.digest(text.normalise(content)))


def of_session(key: bytes, session: str) -> bytes:
    """The tomb of what hung on a session, known by its name."""
    return chain.digest(key, _SESSION + session.encode())
