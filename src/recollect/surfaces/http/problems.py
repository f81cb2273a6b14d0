"""Problem details (RFC 9457): what an error looks like over HTTP."""

from collections.abc import Mapping
from http import HTTPStatus

from recollect.errors import (
    Busy,
    Conflict,
    InvalidInput,
    NotFound,
    RecollectError,
    StoreError,
    Unavailable,
)
from recollect.model import Json
from recollect.surfaces.printing import dumps

MEDIA = "application/problem+json"
FAILED = "the server failed; its log says why"
_BUSY = "the memory is locked by another process; try again"
_MISSING = "a part of the memory is not installed or cannot be reached; the server's log says which"


class Problem(Exception):
    """An answer that is no result."""

    def __init__(
        self,
        status: int,
        detail: str,
        error: str | None = None,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Json] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = {} if error is None else {"error": error}
        self.members |= members or {}

    def document(self) -> dict[str, Json]:
        told = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        return {**told, **self.members}

    def body(self) -> bytes:
        return dumps(self.document()).encode("utf-8", "backslashreplace")


def problem_of(error: RecollectError) -> Problem:
    """An error of the library, with its own message: it names the value and the way out.

    What is not about the request stays here: it names files and other servers.
    """
    return Problem(_status(error), _told(error), type(error).__name__)


def _told(error: RecollectError) -> str:
    if isinstance(error, StoreError):
        return _BUSY if isinstance(error, Busy) else FAILED
    return _MISSING if isinstance(error, Unavailable) else str(error)


def _status(error: RecollectError) -> int:
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, InvalidInput):
        return 400
    if isinstance(error, Conflict):
        return 409
    return 503 if isinstance(error, Unavailable | Busy) else 500
