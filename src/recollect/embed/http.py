"""Embeddings from any server that speaks OpenAI's /embeddings, over the standard library.

The API key travels in one header and appears nowhere else: not in names, errors or fingerprints.
Redirects are refused, because they could carry the key to another host.
"""

import base64
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from recollect.embed.unit import UnitEmbedder
from recollect.errors import InvalidInput, Unavailable

if TYPE_CHECKING:
    from recollect.embed.unit import Matrix

BATCH = 64
FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 30.0
MAX_ANSWER_BYTES = 64 * 1024 * 1024
KEY, OPENAI_KEY = "RECOLLECT_EMBED_KEY", "OPENAI_API_KEY"


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


class HttpEmbedder(UnitEmbedder):
    """Asks the server for vectors, 64 texts at a time."""

    def __init__(
        self,
        url: str,
        *,
        environ: Mapping[str, str],
        dim: int | None = None,
        timeout_seconds: float = 30.0,
        attempts: int = 4,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Read the address (`https://host/v1#model`); the server is not asked yet."""
        parts = _split(url)
        self.name = unquote(parts.fragment) or "default"
        self._endpoint = endpoint(parts, environ)
        self._dim = dim
        self._timeout_seconds = timeout_seconds
        self._attempts = max(1, attempts)
        self._wait = wait
        self._opener = build_opener(_RefuseRedirects)

    @property
    def fingerprint(self) -> str:
        return f"http:{self.name}@{self._endpoint.host}#{self.dim}"

    @property
    def dim(self) -> int:
        """The length of the server's vectors; the first question finds it out."""
        return self._ask(["dimension"]).shape[1] if self._dim is None else self._dim

    def _rows(self, texts: list[str]) -> "Matrix":
        import numpy as np

        starts = range(0, len(texts), BATCH)
        return np.concatenate([self._ask(texts[start : start + BATCH]) for start in starts])

    def _ask(self, texts: list[str]) -> "Matrix":
        reply = self._post_until_answered({"model": self.name, "input": texts})
        try:
            rows = parse(reply.body, len(texts))
        except ValueError as error:
            raise Unavailable(
                f"{self._endpoint.shown} did not answer with embeddings: {error}; "
                "check that the URL ends before /embeddings and that the model embeds"
            ) from error
        if self._dim is None:
            self._dim = rows.shape[1]
        if rows.shape[1] != self._dim:
            raise Unavailable(
                f"{self._endpoint.shown} answered with {rows.shape[1]} dimensions instead of "
                f"{self._dim}; another model may answer there: name it after # and open again"
            )
        return rows

    def _post_until_answered(self, payload: dict[str, Any]) -> Reply:
        request = _request(self._endpoint, payload)
        for attempt in range(self._attempts):
            reply = self._post(request)
            if reply.status == 200:
                return reply
            delay = _delay(reply, attempt)
            if attempt + 1 == self._attempts or delay is None:
                break
            self._wait(delay)
        raise Unavailable(_complaint(self._endpoint, reply, attempt + 1))

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


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        address = parts._replace(fragment="").geturl()
        usable = bool(parts.hostname) and parts.port != 0 and _is_plain(address)
    except ValueError:
        usable = False
    if not usable:
        # The address itself stays out of the message: it may hold a password.
        raise InvalidInput("the embedder's URL cannot be used; write https://host/v1#model")
    return parts


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def endpoint(parts: SplitResult, environ: Mapping[str, str]) -> Endpoint:
    """Work out the address and the credentials: the URL's own, else a key from the environment."""
    host = parts.netloc.rpartition("@")[2]
    path = parts.path.rstrip("/")
    if not path.endswith("/embeddings"):
        path += "/embeddings"
    shown = f"{parts.scheme}://{host}{path}"
    url = f"{shown}?{parts.query}" if parts.query else shown
    return Endpoint(url, shown, host, _authorization(parts, environ))


def _authorization(parts: SplitResult, environ: Mapping[str, str]) -> str | None:
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        return "Basic " + base64.b64encode(pair.encode()).decode()
    key = environ.get(KEY, "").strip()
    host = parts.hostname or ""
    # Somebody's OpenAI key is not for any other server to see.
    if not key and (host == "openai.com" or host.endswith(".openai.com")):
        key = environ.get(OPENAI_KEY, "").strip()
    if not _is_plain(key):
        raise InvalidInput(f"the key in {KEY} or {OPENAI_KEY} holds characters that no key has")
    return f"Bearer {key}" if key else None


def _request(endpoint: Endpoint, payload: dict[str, Any]) -> Request:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if endpoint.authorization is not None:
        headers["Authorization"] = endpoint.authorization
    return Request(endpoint.url, json.dumps(payload).encode(), headers, method="POST")


def parse(body: bytes, count: int) -> "Matrix":
    """Return the answer's vectors in the order asked; ValueError says what is wrong with it."""
    import numpy as np

    if len(body) > MAX_ANSWER_BYTES:
        raise ValueError(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
    try:
        items = json.loads(body)["data"]
        placed = {item.get("index", place): item["embedding"] for place, item in enumerate(items)}
        rows = np.array([placed[place] for place in range(count)], np.float32)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"unexpected JSON ({type(error).__name__}: {error})") from error
    if len(items) != count or rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(f"{len(items)} items of shape {rows.shape[1:]} for {count} texts")
    if not np.isfinite(rows).all():
        raise ValueError("a vector holds NaN or infinity")
    return rows


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


def _complaint(endpoint: Endpoint, reply: Reply, attempts: int) -> str:
    times = "" if attempts == 1 else f" after {attempts} attempts"
    if reply.status == 0:
        return f"{endpoint.shown} cannot be reached{times} ({reply.reason}); is the server running?"
    said = f"{endpoint.shown} answered {reply.status} {reply.reason}".rstrip() + times
    if reply.status in (401, 403):
        return f"{said}; set {KEY} to a key that this server accepts"
    if 300 <= reply.status < 400:
        return f"{said}; redirects are not followed: name the final URL"
    if reply.status == 404:
        return f"{said}; write the URL up to /embeddings and the model after #"
    if reply.is_worth_retrying:
        return f"{said}; try again later"
    return f"{said}; check the model's name after # and the length of the texts"
