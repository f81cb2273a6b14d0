"""The one tool registry: every tool that a model may call, in named toolsets."""

from ricordo.surfaces.tools.anthropic import ANTHROPIC
from ricordo.surfaces.tools.chatgpt import CHATGPT
from ricordo.surfaces.tools.compat.aidaemon import FACTS, SCHEDULER
from ricordo.surfaces.tools.compat.crabtalk import ENTRY_TOOLS, OPERATIONS
from ricordo.surfaces.tools.compat.nexo import MEMORY, REMINDERS, WORKSPACE
from ricordo.surfaces.tools.compat.oxydra import NOTES, SCHEDULES
from ricordo.surfaces.tools.compat.pynchy import KEYED
from ricordo.surfaces.tools.conversation import CONVERSATION
from ricordo.surfaces.tools.default import DEFAULT
from ricordo.surfaces.tools.files import FILES
from ricordo.surfaces.tools.learning import LEARNING
from ricordo.surfaces.tools.registry import Registry
from ricordo.surfaces.tools.tool import Annotations, Bound, Tool, ToolFailure

__all__ = ["Annotations", "Bound", "Registry", "Tool", "ToolFailure", "registry"]

registry = Registry(
    (
        DEFAULT,
        NOTES,
        SCHEDULES,
        MEMORY,
        REMINDERS,
        WORKSPACE,
        KEYED,
        ENTRY_TOOLS,
        OPERATIONS,
        FACTS,
        SCHEDULER,
        CONVERSATION,
        LEARNING,
        FILES,
        CHATGPT,
        ANTHROPIC,
    )
)
