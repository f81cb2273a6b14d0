"""Hrana over HTTP: how a libSQL server is spoken to. Streams, statements, values, errors.

One stream is one connection on the server. Statements of a batch travel in one request. There is
no driver below: the protocol is JSON over HTTP, and a wait for the server blocks nobody else.
"""

import base64
import http.client
import json
import re
import socket
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from ricordo.errors import InvalidInput

_PATH = "/v2/pipeline"
_NAME = re.compile(r":([a-z_][a-z0-9_]*)")
TIMEOUT_SECONDS = 30.0

Row = tuple[Any, ...]


class HranaError(Exception):
    """The server refused a statement. `code` tells the kind."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Disconnected(Exception):
    """The server cannot be reached, or hung up."""


class HranaAddress(NamedTuple):
    """Where a server is, and the token it wants. The token is in no message."""

    host: str
    port: int
    path: str
    is_secure: bool
    token: str

    def __repr__(self) -> str:
        return f"Address({self.authority}{self.path})"

    @property
    def authority(self) -> str:
        """A server with many databases tells them by the first part of this name."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def connect_host(self) -> str:
        """Names under localhost are this machine, whether or not a resolver knows it."""
        return "127.0.0.1" if self.host.endswith(".localhost") else self.host


def address(url: str, token: str) -> HranaAddress:
    """Read `libsql://host`, `http://host:port` or `https://host`; `?authToken=` wins."""
    parts = urlsplit(url)
    asked = parse_qs(parts.query)
    if not parts.hostname:
        raise InvalidInput(
            f"{without_token(url)!r} names no host; write libsql://HOST or http://HOST:PORT"
        )
    tls = asked.get("tls", ["0" if parts.scheme == "http" else "1"])[0] != "0"
    try:
        port = parts.port or (443 if tls else 80)
    except ValueError as error:
        raise InvalidInput(f"{without_token(url)!r} has no usable port; write a number") from error
    return HranaAddress(
        parts.hostname,
        port,
        parts.path.rstrip("/") + _PATH,
        tls,
        asked.get("authToken", [token])[0],
    )


def without_token(url: str) -> str:
    """The URL as it may be shown."""
    return re.sub(r"([?&]authToken=)[^&]*", r"\1…", url)


class Stream:
    """One connection on the server. Not safe among threads."""

    def __init__(self, address: HranaAddress) -> None:
        self._address = address
        self._http: http.client.HTTPConnection | None = None
        self._baton: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether the server keeps something for us: a transaction may be under way."""
        return self._baton is not None

    def run(self, sql: str, values: Mapping[str, Any] | Sequence[Any] = ()) -> list[Row]:
        """Run one statement and fetch everything it gives."""
        return self._results([_execute(sql, values)])[0]

    def run_many(
        self, sql: str, batch: Sequence[Mapping[str, Any] | Sequence[Any]]
    ) -> list[list[Row]]:
        """Run one statement for each set of values, all in one request; what each of them gave."""
        return self._results([_execute(sql, values) for values in batch]) if batch else []

    def script(self, sql: str) -> None:
        """Run several statements that give no rows."""
        self._results([{"type": "sequence", "sql": sql}])

    def close(self) -> None:
        """Give the stream back; what was not committed is undone by the server."""
        baton, self._baton = self._baton, None
        try:
            if baton is not None and self._http is not None:
                self._post({"baton": baton, "requests": [{"type": "close"}]})
        except (Disconnected, HranaError):
            pass  # the server drops an idle stream, with all that was not committed, by itself
        finally:
            self._hang_up()

    def abandon(self) -> None:
        """Close our end of the connection and say nothing: another process goes on with it."""
        self._hang_up()

    def _hang_up(self) -> None:
        self._baton = None
        if self._http is not None:
            self._http.close()
            self._http = None

    def _results(self, requests: list[dict[str, Any]]) -> list[list[Row]]:
        answer = self._post({"baton": self._baton, "requests": requests})
        self._baton = answer.get("baton")
        found = []
        for result in answer["results"]:
            if result["type"] == "error":
                error = result["error"]
                raise HranaError(error.get("code") or "", error["message"])
            found.append(_rows(result["response"].get("result")))
        return found

    def _post(self, message: Mapping[str, Any]) -> dict[str, Any]:
        body = json.dumps(message).encode()
        headers = {"Content-Type": "application/json", "Host": self._address.authority}
        if self._address.token:
            headers["Authorization"] = f"Bearer {self._address.token}"
        try:
            connection = self._connect()
            connection.request("POST", self._address.path, body, headers)
            response = connection.getresponse()
            answered = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._hang_up()
            raise Disconnected(f"{self._address.authority}: {error}") from error
        if response.status != 200:
            self._baton = None
            raise _refusal(response.status, answered)
        return _answer(answered)

    def _connect(self) -> http.client.HTTPConnection:
        if self._http is None:
            kind = (
                http.client.HTTPSConnection
                if self._address.is_secure
                else http.client.HTTPConnection
            )
            self._http = kind(
                self._address.connect_host, self._address.port, timeout=TIMEOUT_SECONDS
            )
            self._http.connect()
            # Small requests one after the other: waiting for more to send would cost 40 ms each.
            self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._http


def _answer(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or not isinstance(answer.get("results"), list):
        raise HranaError("NO_HRANA", "it answers, but not as a libSQL server does; check the URL")
    return answer


def _refusal(status: int, body: bytes) -> HranaError:
    try:
        told = json.loads(body)
        message, code = str(told.get("message") or told.get("error")), str(told.get("code") or "")
    except (ValueError, AttributeError):
        message, code = body.decode(errors="replace")[:200], ""
    return HranaError(code or f"HTTP_{status}", message)


# --- values -------------------------------------------------------------------------------------


def _execute(sql: str, values: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    statement: dict[str, Any] = {"sql": sql, "want_rows": True}
    if isinstance(values, Mapping):
        wanted = set(_NAME.findall(sql))
        statement["named_args"] = [
            {"name": name, "value": _value(value)}
            for name, value in values.items()
            if name in wanted
        ]
    else:
        # In the order in which the statement names them, as SQLite numbers named parameters.
        names = list(dict.fromkeys(_NAME.findall(sql)))
        statement["named_args"] = [
            {"name": name, "value": _value(value)}
            for name, value in zip(names, values, strict=True)
        ]
    return {"type": "execute", "stmt": statement}


def _value(value: Any) -> dict[str, Any]:  # Any: what a driver binds
    if value is None:
        return {"type": "null"}
    if isinstance(value, bool | int):
        return {"type": "integer", "value": str(int(value))}
    if isinstance(value, float):
        return {"type": "float", "value": value}
    if isinstance(value, bytes | bytearray | memoryview):
        return {"type": "blob", "base64": base64.b64encode(value).decode()}
    return {"type": "text", "value": value}


def _rows(result: Mapping[str, Any] | None) -> list[Row]:
    if result is None:
        return []
    return [tuple(_read(cell) for cell in row) for row in result["rows"]]


def _read(cell: Mapping[str, Any]) -> Any:
    kind = cell["type"]
    if kind == "null":
        return None
    if kind == "integer":
        return int(cell["value"])
    if kind == "blob":
        text = cell["base64"]
        return base64.b64decode(text + "=" * (-len(text) % 4))
    if kind == "float":
        return float(cell["value"])
    return cell["value"]
