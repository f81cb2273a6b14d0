"""What a connection reaches: the command line, the token or the URL decide, never a message."""

from dataclasses import dataclass

KEY = "ricordo.reach"  # where the HTTP surface notes it in the scope of a request


@dataclass(frozen=True, slots=True)
class ConnectionScope:
    """The space, tools, session and channel of a connection, and whether it may only read."""

    space: str
    toolset: str = "default"
    session: str = "default"
    channel: str | None = None
    read_only: bool = False
    token: str = ""  # the name of the client's token, if it has one
