"""LangChain: a chat message history kept as a session.

Importing this module needs the extra: pip install "ricordo[langchain]".
"""

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ricordo.adapters.ground import find_space, report_missing
from ricordo.adapters.verbatim import pack, readable, unpack
from ricordo.errors import NotFound

try:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
except ImportError as error:
    raise report_missing("langchain-core", "langchain") from error

if TYPE_CHECKING:
    from ricordo import Memory, Space, aio

__all__ = ["RicordoChatHistory"]

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


class RicordoChatHistory(BaseChatMessageHistory):
    """The messages of one session; recall of the space finds what they say."""

    def __init__(
        self,
        memory: "Memory | Space | aio.Memory | aio.Space",
        session: str,
        space: str = "langchain",
    ) -> None:
        self.session = find_space(memory, space).session(session)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """Every message, oldest first."""
        kept = [unpack((event.metadata or {})["message"]) for event in self.session.events()]
        return messages_from_dict(kept)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages: all of them, or none."""
        self.session.extend([_make_message(message) for message in messages])

    def clear(self) -> None:
        """Delete the session and everything derived from it."""
        with contextlib.suppress(NotFound):
            self.session.delete()


def _make_message(message: BaseMessage) -> dict[str, Any]:
    """What a session keeps of a message: its text for recall, and all of it to read back."""
    return {
        "role": _ROLES.get(message.type, "assistant"),
        "content": readable(str(message.text)),
        "metadata": {"message": pack(message_to_dict(message))},
    }
