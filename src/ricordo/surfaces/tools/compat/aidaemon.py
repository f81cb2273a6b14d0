"""Toolsets `facts` (remember_fact) and `scheduler` (one tool with five actions), in plain text.

A failure is text that begins with `Error`, and it is raised rather than returned.
"""

from typing import Annotated, Literal, TypedDict

from ricordo.core.text.quotation import label, one_line
from ricordo.errors import InvalidInput, NotFound
from ricordo.model import Entry, Schedule
from ricordo.surfaces.tools.format import Filled, require_text, when
from ricordo.surfaces.tools.schema import About
from ricordo.surfaces.tools.tool import REPLACES, Annotations, Bound, Tool, ToolFailure, Toolset

MOST_LISTED = 50


def word_failure(failure: ToolFailure, tool: Tool) -> ToolFailure:  # noqa: ARG001
    """The failure as text that begins with Error."""
    text = f"Error: {failure.message}"
    return ToolFailure(text, failure.kind, text)


FACTS = Toolset("facts", "facts by category and key", word_failure)
SCHEDULER = Toolset("scheduler", "tasks by natural language or cron, in one tool", word_failure)

Category = Annotated[str, About("whom or what it is about: user, project, …", shortest=1)]
Key = Annotated[str, About("what is said of it, such as dog_name", shortest=1)]


class Fact(TypedDict):
    category: Category
    key: Key
    value: Filled


@FACTS.tool(
    {"category": "user", "key": "dog_name", "value": "Rex"},
    {"facts": [{"category": "user", "key": "city", "value": "Lisbon"}]},
    hints=REPLACES,
    errors=("a field is missing", "facts is empty"),
)
def remember_fact(
    bound: Bound,
    category: Category | None = None,
    key: Key | None = None,
    value: str | None = None,
    facts: Annotated[list[Fact] | None, About("several facts at once", shortest=1)] = None,
) -> str:
    """State facts; a new value for a known key replaces the old one. Give category, key and value,
    or facts."""
    if facts is None:
        one: Fact = {
            "category": require_text(category, "category"),
            "key": require_text(key, "key"),
            "value": require_text(value, "value"),
        }
        facts = [one]
    for fact in facts:  # all of them or none
        for field in ("category", "key", "value"):
            require_text(fact[field], field)
    return "\n".join(_state_fact(bound, fact) for fact in facts)


@SCHEDULER.tool(
    {
        "action": "create",
        "name": "report",
        "schedule": "weekdays at 8:30",
        "prompt": "Send the report",
    },
    {"action": "list"},
    {"action": "pause", "id": "0198c0de-0000-7000-8000-000000000000"},
    hints=Annotations(destructive=True),
    errors=("a field is missing", "a schedule that is not understood", "an unknown id"),
)
def scheduler(
    bound: Bound,
    action: Literal["create", "list", "delete", "pause", "resume"],
    name: Annotated[str | None, About("create")] = None,
    schedule: Annotated[str | None, About('create: "every 2 hours", or cron')] = None,
    prompt: Annotated[str | None, About("create: what to do when it fires")] = None,
    oneshot: Annotated[bool, About("create: fire once, then delete")] = False,
    trusted: Annotated[bool, About("create: false; only a person may trust a task")] = False,
    id: Annotated[str | None, About("delete, pause, resume")] = None,
) -> str:
    """Create, list, delete, pause and resume scheduled tasks."""
    space = bound.space
    if action == "list":
        planned = sorted(space.schedules.list(limit=MOST_LISTED), key=_order)
        return "\n".join(_describe_task(each) for each in planned) or "No scheduled tasks."
    if trusted:
        raise InvalidInput(
            "trusted is for the user to give: ricordo schedule update ID --trusted; leave it out"
        )
    if action == "create":
        made = space.schedule(
            require_text(prompt, "prompt"),
            require_text(schedule, "schedule"),
            name=require_text(name, "name"),
            once=oneshot,
            keep=not oneshot,
            channel=bound.channel,
        )
        return f"Created: {_describe_task(made)}"
    known = _find_schedule(bound, require_text(id, "id"))
    if action == "delete":
        space.schedules.delete(known)
        return f"Deleted: {known.id} {label(known.name)}"
    if action == "pause":
        return f"Paused: {_describe_task(space.schedules.pause(known))}"
    return f"Resumed: {_describe_task(space.schedules.resume(known))}"


def _state_fact(bound: Bound, fact: Fact) -> str:
    entry = bound.space.fact(
        fact["category"],
        fact["key"],
        fact["value"],
        origin="agent",
        source="remember_fact",
    )
    assert isinstance(entry, Entry)
    key = entry.name.removeprefix(f"{entry.category}/")
    return one_line(f"[{entry.category}] {key} = {entry.content}")


def _find_schedule(bound: Bound, id: str) -> Schedule:
    schedule = bound.space.schedules.get(id)
    if schedule is None:
        raise NotFound(f"there is no scheduled task {id!r}; use an id from action list")
    return schedule


def _order(schedule: Schedule) -> tuple[bool, str]:
    at = schedule.next_run_at
    return at is None, "" if at is None else when(at)


def _describe_task(schedule: Schedule) -> str:
    """A task in one line."""
    cadence = schedule.cadence
    cron = cadence.expression or (
        "once" if cadence.kind == "once" else f"every {cadence.seconds} s"
    )
    flags = [
        word
        for word, is_set in (
            ("oneshot", cadence.kind == "once"),
            ("trusted", schedule.trusted),
            (schedule.status, schedule.status != "active"),
        )
        if is_set
    ]
    next_run = "-" if schedule.next_run_at is None else when(schedule.next_run_at)
    marked = f" [{', '.join(flags)}]" if flags else ""
    phrase = schedule.phrase or schedule.description
    return one_line(
        f"{schedule.id} {label(schedule.name)}: {label(phrase)} ({cron}){marked}, "
        f"next run {next_run}; {schedule.goal}"
    )
