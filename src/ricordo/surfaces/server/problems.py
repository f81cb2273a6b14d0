"""Problem details (RFC 9457): what an error looks like over HTTP."""

from collections.abc import Mapping
from http import HTTPStatus

from ricordo.errors import RicordoError
from ricordo.model import Json
from ricordo.surfaces.faults import RETRIES, find_fault
from ricordo.surfaces.output import dumps

MEDIA = "application/problem+json"
FAILED = "the server failed; see its log"


class Problem(Exception):
    """An error as an answer."""

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


def problem_of(error: RicordoError) -> Problem:
    """An error of the library as a problem, by the table of faults."""
    fault = find_fault(error)
    return Problem(fault.status, fault.tell(error), type(error).__name__, retry_headers(fault.kind))


def retry_headers(kind: str) -> dict[str, str]:
    """When to try again, if that can help."""
    return {"Retry-After": str(RETRIES[kind])} if kind in RETRIES else {}
