"""The approvals of a space: which commands may run. All of it are flows."""

import builtins  # `list` is a method here
from collections.abc import Sequence

from ricordo.flows.learning import approve as approving
from ricordo.handles.collection import Collection
from ricordo.model import Approval, Origin, Receipt, Scope, Verdict


class SpaceApprovals(Collection):
    """The user's answers about commands."""

    def list(self) -> builtins.list[Approval]:
        """Every answer that holds at the moment."""
        return approving.list_approvals(self._engine, self._space)

    def allow(self, words: str | Sequence[str], *, scope: Scope = "always") -> Approval:
        """Allow commands that begin with these words. What is denied stays denied.

        `scope` is "always", "session" (until the memory is closed) or "once".
        """
        return approving.approve(self._engine, self._space, words, allow=True, scope=scope)

    def deny(self, words: str | Sequence[str], *, scope: Scope = "always") -> Approval:
        """Deny commands that begin with these words, whatever else is allowed.

        `scope` is "always", "session" (until the memory is closed) or "once".
        """
        return approving.approve(self._engine, self._space, words, allow=False, scope=scope)

    def verdict(
        self, command: str | Sequence[str], *, trusted: bool = False, origin: Origin = "agent"
    ) -> Verdict:
        """Whether a command may run: "allow", "deny" or "ask"; an answer for once is used up.

        Give a list of words if no shell is involved, else the line. `trusted` is for runs of a
        trusted schedule; what has the origin "tool", "web" or "import" is always asked about.
        """
        return approving.verdict(self._engine, self._space, command, trusted=trusted, origin=origin)

    def is_allowed(
        self, command: str | Sequence[str], *, trusted: bool = False, origin: Origin = "agent"
    ) -> bool:
        """Whether a command may run without asking; an answer for once is used up."""
        return self.verdict(command, trusted=trusted, origin=origin).answer == "allow"

    def delete(self, words: str | Sequence[str] | Approval) -> Receipt:
        """Take an answer back, allowed or denied."""
        return approving.forget(self._engine, self._space, self._refer(words, Approval))
