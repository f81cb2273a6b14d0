"""A list as a stream of server-sent events: what is new in it, as it comes.

The list is read again every second, so that writes of other processes are seen as well. A stream
ends with the client, with the server, or with its token.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

import anyio
from starlette.responses import StreamingResponse

from ricordo.errors import RicordoError
from ricordo.surfaces.output import dumps

if TYPE_CHECKING:
    from starlette.types import Scope

MEDIA = "text/event-stream"
LOOK_SECONDS = 1.0  # between two looks
ALIVE_LOOKS = 15  # without news, after which a comment shows that the stream lives
PAGE = 100  # items of a look
MOST = 16  # streams of one token at once
_FIRST = "retry: 2000\n: what changes from now on\n\n"

Item = dict[str, Any]  # as JSON has it: at least `id` and `at`
Look = Callable[[], Awaitable[list[Item]]]  # the newest items, newest first


def wants_stream(scope: "Scope") -> bool:
    """Whether a client asks for events."""
    accepted = [value for name, value in scope["headers"] if name == b"accept"]
    return any(MEDIA.encode() in value.lower() for value in accepted)


def read_last_id(scope: "Scope") -> str | None:
    """The last event that a client got before it lost the stream."""
    given = [value for name, value in scope["headers"] if name == b"last-event-id"]
    return given[0].decode("latin-1") if given else None


def find_news(items: list[Item], known: list[Item] | None, seen: str | None) -> list[Item]:
    """What a client does not know yet, oldest first.

    Without a look before, that is what stands before `seen`. Otherwise it is what the last look did
    not show; an item that only moved up because another one went is not news.
    """
    if known is None:
        ids = [item["id"] for item in items]
        end = 0 if seen is None else ids.index(seen) if seen in ids else len(ids)
        return items[:end][::-1]
    shown = {item["id"] for item in known}
    least = _order(known[-1]) if len(known) >= PAGE else ("", "")
    return [item for item in items if item["id"] not in shown and _order(item) > least][::-1]


def _order(item: Item) -> tuple[str, str]:
    return str(item["at"]), str(item["id"])


def answer_stream(look: Look, seen: str | None) -> StreamingResponse:
    """The answer: a stream without an end of its own."""
    return StreamingResponse(_follow(look, seen), media_type=MEDIA)


async def _follow(look: Look, seen: str | None) -> AsyncIterator[str]:
    yield _FIRST
    known: list[Item] | None = None
    idle = 0
    while True:
        try:
            items = await look()
        except RicordoError:
            items = known or []  # busy or away for now: the next look finds what was missed
        except RuntimeError:
            return  # the server is going down
        news = find_news(items, known, seen)
        known, idle = items, 0 if news else idle + 1
        for item in news:
            yield f"id: {item['id']}\nevent: change\ndata: {dumps(item)}\n\n"
        if idle and idle % ALIVE_LOOKS == 0:
            yield ": alive\n\n"
        await anyio.sleep(LOOK_SECONDS)
