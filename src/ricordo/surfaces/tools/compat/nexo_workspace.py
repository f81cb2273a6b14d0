"""Toolset `workspace`: forge_memory_checkpoint and memory_history, over the files of a space."""

from typing import Annotated, NotRequired, TypedDict

from ricordo.errors import InvalidInput
from ricordo.surfaces.tools.format import when
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import READS, SETS, Bound, ToolFailure, Toolset

WORKSPACE = Toolset("workspace", "checkpoints of the space's files, and their history")


class Forged(TypedDict):
    ok: bool
    skipped: bool
    oid: NotRequired[str]
    subject: NotRequired[str]
    reason: NotRequired[str]


class Commit(TypedDict):
    oid: str
    subject: str
    body: str
    author: str
    timestamp: str


class History(TypedDict):
    commits: list[Commit]
    diff: NotRequired[str]


@WORKSPACE.tool(
    {"note": "before the migration"}, hints=SETS, errors=("the memory keeps no history of files",)
)
def forge_memory_checkpoint(
    bound: Bound, note: Annotated[str, About("what this state is")] = "manual"
) -> Forged:
    """Commit the files of the workspace, so that this state can be found again."""
    try:
        made = bound.space.checkpoint(note)
    except InvalidInput as error:
        raise ToolFailure(str(error)) from None  # most likely there is no history to write to
    if made is None:
        return {"ok": True, "skipped": True, "reason": "nothing changed since the last checkpoint"}
    return {"ok": True, "skipped": False, "oid": made.id, "subject": made.subject}


@WORKSPACE.tool({"limit": 5, "include_diff": True}, hints=READS)
def memory_history(
    bound: Bound,
    limit: Annotated[int, About("how many commits, 1 to 100")] = 10,
    include_diff: Annotated[bool, About("with the changes since the oldest of them")] = False,
) -> History:
    """List the newest checkpoints of the workspace."""
    try:
        found = bound.space.checkpoints(min(max(limit, 1), 100), diff=include_diff)
    except InvalidInput as error:
        raise ToolFailure(str(error)) from None  # about the folder: the limit is always one
    history: History = {
        "commits": [
            {
                "oid": each.id,
                "subject": each.subject,
                "body": each.body,
                "author": each.author,
                "timestamp": when(each.at),
            }
            for each in found
        ]
    }
    if include_diff and found and found[0].diff:
        history["diff"] = found[0].diff
    return history
