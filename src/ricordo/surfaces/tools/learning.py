"""Toolset `learning`: what was learnt about tool use, and dreaming.

A model may look approvals up, never give them: that is for the user to do.
"""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from ricordo.model import Json, Macro, Sweep
from ricordo.surfaces.tools.format import Limit
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import ADDS, READS, REMOVES, Bound, Toolset

LEARNING = Toolset("learning", "macros, approvals, and dreaming", brings_due=True)

Id = Annotated[str, About("an id from suggest", shortest=1)]


class Suggestion(TypedDict):
    id: str
    tool: str
    arguments: dict[str, Json]
    missing: list[str]


class Suggestions(TypedDict):
    suggestions: list[Suggestion]


class Used(TypedDict):
    id: str
    used_count: int


class MacroForgetResult(TypedDict):
    forgot: str


class ApprovalAnswer(TypedDict):
    command: str
    answer: str


class ApprovalList(TypedDict):
    approvals: list[ApprovalAnswer]


class Promoted(TypedDict):
    id: int
    name: str


class Dreamt(TypedDict):
    sweep: int | None
    promoted: list[Promoted]
    candidates: int
    duplicates: list[str]
    contradictions: list[str]


@LEARNING.tool({"tool": "git_commit", "arguments": {"message": "fix"}}, hints=READS)
def suggest(
    bound: Bound,
    tool: Annotated[str, About("the tool that was called last", shortest=1)],
    arguments: Annotated[dict[str, Json] | None, About("its arguments")] = None,
    limit: Limit = 3,
) -> Suggestions:
    """Suggest which tool call usually comes next. Nothing is run."""
    call: Mapping[str, Json] = {"name": tool, "arguments": arguments or {}}
    return {"suggestions": [_suggestion(each) for each in bound.space.macros.suggest(call, limit)]}


@LEARNING.tool({"id": "0198c0de"}, hints=ADDS, errors=("an unknown macro",))
def use_macro(bound: Bound, id: Id) -> Used:
    """Record that a suggestion was used, so that it is kept."""
    macro = bound.space.macros.use(id)
    return {"id": macro.id, "used_count": macro.used_count}


@LEARNING.tool({"id": "0198c0de"}, hints=REMOVES, errors=("an unknown macro",))
def forget_macro(bound: Bound, id: Id) -> MacroForgetResult:
    """Forget a macro and what it was learnt from."""
    return {"forgot": bound.space.macros.delete(id).target}


@LEARNING.tool({}, hints=READS)
def approvals(bound: Bound) -> ApprovalList:
    """List the commands that the user permanently allowed or denied."""
    given: list[ApprovalAnswer] = [
        {"command": " ".join(each.words), "answer": "allow" if each.allow else "deny"}
        for each in bound.space.approvals.list()
    ]
    return {"approvals": given}


@LEARNING.tool(
    {"dry_run": True}, hints=ADDS, errors=("another sweep is running",), is_sweeping=True
)
def dream(
    bound: Bound, dry_run: Annotated[bool, About("only report what would be promoted")] = False
) -> Dreamt:
    """Promote entries that are recalled again and again, and report contradictions."""
    return _dreamt(bound.space.dream(dry_run))


@LEARNING.tool({"sweep": 1}, hints=REMOVES, errors=("an unknown sweep",), is_sweeping=True)
def undo(bound: Bound, sweep: Annotated[int, About("a number from dream", minimum=1)]) -> Dreamt:
    """Undo the promotions of a sweep."""
    return _dreamt(bound.space.dreams.undo(min(sweep, 2**62)))


def _suggestion(macro: Macro) -> Suggestion:
    return {
        "id": macro.id,
        "tool": macro.next_tool,
        "arguments": dict(macro.arguments),
        "missing": list(macro.missing),
    }


def _dreamt(sweep: Sweep) -> Dreamt:
    return {
        "sweep": sweep.id,
        "promoted": [{"id": each.id, "name": each.entry} for each in sweep.promoted],
        "candidates": sweep.candidates,
        "duplicates": [f"{each.first} and {each.second}" for each in sweep.duplicates],
        "contradictions": [
            f"{each.older} and {each.newer}: {each.reason}" for each in sweep.contradictions
        ],
    }
