"""What the handle of a space offers about learnt tool use: macros and approvals."""

from collections.abc import Iterable, Mapping, Sequence

from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, check_name
from ricordo.flows.learning import approve as approving
from ricordo.flows.learning import learn as learning
from ricordo.model import Approval, Json, Macro, Receipt, Verdict


class Learned:
    """Macros and approvals of a space. `Space` is made of this; it has no life of its own."""

    _engine: Engine
    name: str

    def learn(
        self, tool_calls: Iterable[Mapping[str, Json]] | None = None, *, session: str | None = None
    ) -> int:
        """Learn which tool calls follow which, from a list in order or from a session's events.

        Of a session only what is new is learnt. Returns how many successions were counted.
        Secrets among the arguments are never kept.
        """
        if (tool_calls is None) == (session is None):
            raise InvalidInput("learn from a list of tool calls or from a session; give one")
        if tool_calls is None:
            return learning.learn_session(self._engine, self.name, check_name(session, "session"))
        return learning.learn(self._engine, self.name, tool_calls)

    def suggest(
        self,
        tool_call: Mapping[str, Json],
        limit: int = 3,
        *,
        min_confidence: float = 0.5,
    ) -> list[Macro]:
        """What usually follows a tool call, the surest first, with the arguments that are known.

        Nothing is run, and what is denied is not suggested. Tell `use_macro` what was taken.
        """
        return learning.suggest(self._engine, self.name, tool_call, limit, min_confidence)

    def macros(self, tool: str | None = None, limit: int = 100) -> list[Macro]:
        """What was learnt, of one trigger tool or of all, the surest first."""
        return learning.list_macros(self._engine, self.name, tool, limit)

    def use_macro(self, macro: str | Macro) -> Macro:
        """Note that a suggestion was taken: it counts, and keeps the macro from fading."""
        return learning.use(self._engine, self.name, macro)

    def forget_macro(self, macro: str | Macro) -> Receipt:
        """Forget a macro with the successions it was learnt from."""
        return learning.forget(self._engine, self.name, macro)

    def approve(
        self, words: str | Sequence[str], *, allow: bool = True, scope: str = "always"
    ) -> Approval:
        """Allow commands that begin with these words, or with `allow=False` deny them.

        `scope` is "always", "session" (until the memory is closed) or "once". Denied wins.
        """
        return approving.approve(self._engine, self.name, words, allow=allow, scope=scope)

    def approvals(self) -> list[Approval]:
        """Every answer that holds at the moment."""
        return approving.list_approvals(self._engine, self.name)

    def verdict(
        self, command: str | Sequence[str], *, trusted: bool = False, origin: str = "agent"
    ) -> Verdict:
        """Whether a command may run: "allow", "deny" or "ask"; an answer for once is used up.

        Give a list of words if no shell is involved, else the line. `trusted` is for runs of a
        trusted schedule; what has the origin "tool", "web" or "import" is always asked about.
        """
        return approving.verdict(self._engine, self.name, command, trusted=trusted, origin=origin)

    def is_approved(
        self, command: str | Sequence[str], *, trusted: bool = False, origin: str = "agent"
    ) -> bool:
        """Whether a command may run without asking; an answer for once is used up."""
        return self.verdict(command, trusted=trusted, origin=origin).answer == "allow"

    def forget_approval(self, words: str | Sequence[str]) -> Receipt:
        """Take an answer back, allowed or denied."""
        return approving.forget(self._engine, self.name, words)
