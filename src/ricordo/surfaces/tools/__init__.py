"""The one tool registry: every tool that a model may call, in named toolsets."""

from ricordo.surfaces.tools.anthropic import ANTHROPIC
from ricordo.surfaces.tools.chatgpt import CHATGPT
from ricordo.surfaces.tools.default import DEFAULT
from ricordo.surfaces.tools.entries004 import ENTRY_TOOLS, OPERATIONS
from ricordo.surfaces.tools.facts000 import FACTS, SCHEDULER
from ricordo.surfaces.tools.keyed003 import KEYED
from ricordo.surfaces.tools.learning import LEARNING
from ricordo.surfaces.tools.memory002 import MEMORY
from ricordo.surfaces.tools.notes001 import NOTES
from ricordo.surfaces.tools.registry import Registry
from ricordo.surfaces.tools.reminders002 import REMINDERS
from ricordo.surfaces.tools.schedules001 import SCHEDULES
from ricordo.surfaces.tools.tool import Annotations, Tool, ToolFailure
from ricordo.surfaces.tools.workspace002 import WORKSPACE

__all__ = ["Annotations", "Registry", "Tool", "ToolFailure", "registry"]

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
        LEARNING,
        CHATGPT,
        ANTHROPIC,
    )
)
