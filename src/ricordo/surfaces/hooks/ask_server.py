"""Asking the server of a memory, if one runs on this machine: recall by meaning, for a hook.

A hook loads no model. A server has one loaded, and answers in milliseconds; if it does not, the
hook goes on with words. Plain sockets: an HTTP client takes longer to import than the answer takes.
"""

import json
from datetime import datetime
from urllib.parse import quote

from ricordo.flows.hooks.quick_recall import FoundText
from ricordo.surfaces.server import beacon

WAIT_SECONDS = 1.0
SURE = 0.02  # least confidence of any hit: questions about something else stay below it
LIKELY = 0.01  # least confidence of each other hit
LONGEST_QUERY = 2_000  # characters
_MOST = 12  # hits asked for: some are before the host's eyes already
_LONGEST_ANSWER = 4_000_000  # bytes


def recall(
    memory: str, space: str, query: str, kinds: tuple[str, ...] = ()
) -> list[FoundText] | None:
    """What a running server recalls, the best first; None if there is none or it fails."""
    found = beacon.find(memory)
    if found is None:
        return None
    chosen = "".join(f"&kind={kind}" for kind in kinds)
    path = f"/v1/spaces/{quote(space, safe='')}/recall?q={quote(query[:LONGEST_QUERY], safe='')}"
    try:
        answer = _get(found, f"{path}&limit={_MOST}&abstain={SURE}{chosen}")
        return [_read_hit(hit) for hit in answer["items"] if (hit["confidence"] or 0) >= LIKELY]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _get(server: beacon.Beacon, path: str):  # type: ignore[no-untyped-def]  # JSON of the server
    import socket

    shown = f"[{server.host}]" if ":" in server.host else server.host
    lines = (
        f"GET {path} HTTP/1.0",
        f"Host: {shown}:{server.port}",
        f"Authorization: Bearer {server.token}",
        "Accept: application/json",
    )
    with socket.create_connection((server.host, server.port), WAIT_SECONDS) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("ascii"))
        answer = b""
        while (piece := connection.recv(65_536)) and len(answer) < _LONGEST_ANSWER:
            answer += piece
    head, _, body = answer.partition(b"\r\n\r\n")
    if head.split(b" ", 2)[1:2] != [b"200"]:
        raise ValueError("the server refused")
    return json.loads(body)


def _read_hit(hit) -> FoundText:  # type: ignore[no-untyped-def]  # JSON of the server
    source = hit["source"]
    entry = hit.get("entry")
    return FoundText(
        text=str(hit["text"]),
        name=None if entry is None else (str(entry["name"]), int(entry["id"])),
        session=source.get("session"),
        seq=source.get("seq_start"),
        uri=str(source.get("uri") or ""),
        origin=str(hit["origin"]),
        at=datetime.fromisoformat(hit["at"]),
        author=str((hit.get("author") or "") if entry is None else ""),
        role=str((hit.get("role") or "") if entry is None else ""),
    )
