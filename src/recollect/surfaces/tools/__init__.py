"""The one tool registry: every tool that a model may call, in named toolsets."""

from recollect.surfaces.tools.anthropic import ANTHROPIC
from recollect.surfaces.tools.chatgpt import CHATGPT
from recollect.surfaces.tools.default import DEFAULT
from recollect.surfaces.tools.entries004 import ENTRY_TOOLS, OPERATIONS
from recollect.surfaces.tools.facts000 import FACTS, SCHEDULER
from recollect.surfaces.tools.keyed003 import KEYED
from recollect.surfaces.tools.learning import LEARNING
from recollect.surfaces.tools.memory002 import MEMORY
from recollect.surfaces.tools.notes001 import NOTES
from recollect.surfaces.tools.registry import Registry
from recollect.surfaces.tools.reminders002 import REMINDERS
from recollect.surfaces.tools.schedules001 import SCHEDULES
from recollect.surfaces.tools.tool import Annotations, Tool, ToolFailure
from recollect.surfaces.tools.workspace002 import WORKSPACE

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
