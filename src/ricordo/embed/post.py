"""Posting JSON to a model's server over the standard library, with retries. Knows no model.

The API key travels in one header and appears nowhere else: not in names, errors or fingerprints.
Redirects are refused, because they could carry the key to another host.
"""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ricordo.errors import InvalidInput, Unavailable

FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 30.0
MAX_ANSWER_BYTES = 64 * 1024 * 1024
OPENAI_KEY = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class Service:
    """What is asked for: where it lies under the server's address, and whose key it takes."""

    what: str
    path: str
    key: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask and as whom. `shown` is the address as messages may print it."""

    url: str
    shown: str
    host: str
    authorization: str | None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server said; status 0 means that it could not be reached."""

    status: int
    body: bytes
    reason: str = ""
    retry_after_seconds: float | None = None

    @property
    def is_worth_retrying(self) -> bool:
        return self.status in (0, 408, 429) or self.status >= 500


class _RefuseRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


class Poster:
    """Sends one request after the other to one address."""

    def __init__(
        self,
        url: str,
        service: Service,
        environ: Mapping[str, str],
        *,
        timeout_seconds: float,
        attempts: int,
        wait: Callable[[float], None],
    ) -> None:
        parts = _split(url, service)
        self.name = unquote(parts.fragment) or "default"
        self.endpoint = _endpoint(parts, service, environ)
        self._service = service
        self._timeout_seconds = timeout_seconds
        self._attempts = max(1, attempts)
        self._wait = wait
        self._opener = build_opener(_RefuseRedirects)

    def post(self, payload: dict[str, Any]) -> bytes:
        """The body of the answer; Unavailable once all attempts have failed."""
        request = _request(self.endpoint, payload)
        for attempt in range(self._attempts):
            reply = self._post(request)
            if reply.status == 200:
                return reply.body
            delay = _delay(reply, attempt)
            if attempt + 1 == self._attempts or delay is None:
                break
            self._wait(delay)
        raise Unavailable(_complaint(self.endpoint, self._service, reply, attempt + 1))

    def _post(self, request: Request) -> Reply:
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as answer:
                body = answer.read(MAX_ANSWER_BYTES + 1)
                return Reply(answer.status, body, answer.reason)
        except HTTPError as error:
            with error:  # its body stays unread: it may quote the key or the texts
                return Reply(error.code, b"", str(error.reason), _retry_after(error.headers))
        except URLError as error:
            return Reply(0, b"", str(error.reason))
        except (OSError, HTTPException) as error:
            return Reply(0, b"", str(error) or type(error).__name__)


def _split(url: str, service: Service) -> SplitResult:
    try:
        parts = urlsplit(url)
        address = parts._replace(fragment="").geturl()
        usable = bool(parts.hostname) and parts.port != 0 and _is_plain(address)
    except ValueError:
        usable = False
    if not usable:
        # The address itself stays out of the message: it may hold a password.
        raise InvalidInput(f"the {service.what}'s URL cannot be used; write https://host/v1#model")
    return parts


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def _endpoint(parts: SplitResult, service: Service, environ: Mapping[str, str]) -> Endpoint:
    """Work out the address and the credentials: the URL's own, else a key from the environment."""
    host = parts.netloc.rpartition("@")[2]
    path = parts.path.rstrip("/")
    if not path.endswith(service.path):
        path += service.path
    shown = f"{parts.scheme}://{host}{path}"
    url = f"{shown}?{parts.query}" if parts.query else shown
    return Endpoint(url, shown, host, _authorization(parts, service.key, environ))


def _authorization(parts: SplitResult, variable: str, environ: Mapping[str, str]) -> str | None:
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        return "Basic " + base64.b64encode(pair.encode()).decode()
    key = environ.get(variable, "").strip()
    host = parts.hostname or ""
    # Somebody's OpenAI key is not for any other server to see.
    if not key and (host == "openai.com" or host.endswith(".openai.com")):
        key = environ.get(OPENAI_KEY, "").strip()
    if not _is_plain(key):
        raise InvalidInput(
            f"the key in {variable} or {OPENAI_KEY} holds characters that no key has"
        )
    return f"Bearer {key}" if key else None


def _request(endpoint: Endpoint, payload: dict[str, Any]) -> Request:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if endpoint.authorization is not None:
        headers["Authorization"] = endpoint.authorization
    return Request(endpoint.url, json.dumps(payload).encode(), headers, method="POST")


def _delay(reply: Reply, attempt: int) -> float | None:
    """Return how long to wait before the next attempt; None means that none is worthwhile."""
    if not reply.is_worth_retrying:
        return None
    delay = max(FIRST_DELAY_SECONDS * 2**attempt, reply.retry_after_seconds or 0.0)
    # A server that wants a long pause is left to the background worker, which has time.
    return delay if delay <= MAX_DELAY_SECONDS else None


def _retry_after(headers: Message) -> float | None:
    """Read Retry-After as seconds; a date counts from the server's own clock."""
    value = headers.get("Retry-After", "").strip()
    try:
        if value.isascii() and value.isdigit():
            return float(value)
        until, now = (parsedate_to_datetime(text) for text in (value, headers.get("Date", "")))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError):
        return None


def _complaint(endpoint: Endpoint, service: Service, reply: Reply, attempts: int) -> str:
    times = "" if attempts == 1 else f" after {attempts} attempts"
    if reply.status == 0:
        return f"{endpoint.shown} cannot be reached{times} ({reply.reason}); is the server running?"
    said = f"{endpoint.shown} answered {reply.status} {reply.reason}".rstrip() + times
    if reply.status in (401, 403):
        return f"{said}; set {service.key} to a key that this server accepts"
    if 300 <= reply.status < 400:
        return f"{said}; redirects are not followed: name the final URL"
    if reply.status == 404:
        return f"{said}; write the URL up to {service.path} and the model after #"
    if reply.is_worth_retrying:
        return f"{said}; try again later"
    return f"{said}; check the model's name after # and the length of the texts"
