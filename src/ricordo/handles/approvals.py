"""The approvals of a space: which commands may run. Every method calls a flow."""

import builtins  # `list` is a method here
from collections.abc import Sequence

from ricordo.flows.learning import approve as approving
from ricordo.handles.collection import Collection
from ricordo.model import Approval, Origin, Receipt, Scope, Verdict


class SpaceApprovals(Collection):
    """The user's answers about commands."""

    def list(self) -> builtins.list[Approval]:
        """Every answer that is in force."""
        return approving.list_approvals(self._engine, self._space)

    def allow(self, words: str | Sequence[str], *, scope: Scope = "always") -> Approval:
        """Allow commands that begin with these words. Denied commands stay denied.

        `scope` is "always", "session" (until the memory is closed) or "once".
        """
        return approving.approve(self._engine, self._space, words, allow=True, scope=scope)

    def deny(self, words: str | Sequence[str], *, scope: Scope = "always") -> Approval:
        """Deny commands that begin with these words, even if another answer allows them.

        `scope` is "always", "session" (until the memory is closed) or "once".
        """
        return approving.approve(self._engine, self._space, words, allow=False, scope=scope)

    def verdict(
        self, command: str | Sequence[str], *, trusted: bool = False, origin: Origin = "agent"
    ) -> Verdict:
        """Whether a command may run: "allow", "deny" or "ask". A "once" answer is used up.

        Give a list of words if no shell is involved, otherwise the whole line. `trusted` is for
        runs of a trusted schedule. With origin "tool", "web" or "import" the user is always asked.
        """
        return approving.verdict(self._engine, self._space, command, trusted=trusted, origin=origin)

    def is_allowed(
        self, command: str | Sequence[str], *, trusted: bool = False, origin: Origin = "agent"
    ) -> bool:
        """Whether a command may run without asking. A "once" answer is used up."""
        return self.verdict(command, trusted=trusted, origin=origin).answer == "allow"

    def delete(self, words: str | Sequence[str] | Approval) -> Receipt:
        """Delete an answer, whether it allows or denies."""
        return approving.forget(self._engine, self._space, self._refer(words, Approval))
