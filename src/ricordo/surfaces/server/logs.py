"""The log of a server: one JSON object a line on stderr, each with the id of its request.

A client may send its own id as X-Request-Id; every answer has one. Paths, names and texts are never
in it, only routes.
"""

import json
import logging
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

LEVELS = ("debug", "info", "warning", "error")
HEADER = "x-request-id"
REQUEST: ContextVar[str] = ContextVar("request", default="")
FIELDS = "fields"  # what a record says beside its message
_WELL = re.compile(r"[A-Za-z0-9._-]{1,64}")


def choose_id(given: str | None) -> str:
    """The id of a request: the client's own if it is short and plain, else a new one."""
    return given if given and _WELL.fullmatch(given) else secrets.token_hex(8)


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if request := REQUEST.get():
            told["request"] = request
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def set_up(level: str) -> None:
    """Send the log of this process to stderr. Only a process that is a server does this."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
