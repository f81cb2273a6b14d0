"""No tool reaches into another space, by whatever it is given."""

import json

import pytest
from every_tool import EVERY, label, outcome

import ricordo
from ricordo.surfaces.tools import Tool, ToolFailure

CANARY = "xylophone-canary"
ADDRESSES = (
    "query",
    "name",
    "tool",
    "id",
    "key",
    "note_id",
    "schedule_id",
    "run_id",
    "path",
    "old_path",
)


def filled(space: ricordo.Space) -> list[str]:
    """Put a canary into everything a space has; the ids it is found by."""
    chat = space.session("trip")
    chat.append("user", f"{CANARY} in a message")
    chat.write_scratchpad([f"{CANARY} on the pad"])
    note = space.remember(f"{CANARY} in a note", "secret", aliases=["hidden"])
    space.remember(f"{CANARY} in a file", "/memories/secret.md", category="memories")
    fact = space.fact("user", "secret", f"{CANARY} in a fact")
    space.ingest(f"{CANARY} in a document", uri="doc:secret")
    archive = chat.compact()
    schedule = space.schedule(f"{CANARY} as a goal", "every 5 minutes", name="watch")
    reminder = space.remind(f"{CANARY} as a reminder", at="10m")
    space.files.write("plan.md", f"{CANARY} in a workspace")
    commit = space.files.checkpoint(f"{CANARY} in a checkpoint")
    space.macros.learn(
        [{"name": "look", "arguments": {"at": f"{CANARY} in a call"}}, {"name": "see"}] * 9
    )
    space.approvals.allow(["look", "at", CANARY])
    assert fact is not None
    assert commit is not None
    return [
        *("secret", "hidden", "user/secret", "doc:secret", "trip#1", "trip", "watch"),
        *(
            "/memories/secret.md",
            "/memories",
            note.uid,
            str(note.id),
            fact.uid,
            archive.uid,
            archive.name,
        ),
        *(schedule.id, reminder.id, commit.id, f"{CANARY} note fact file", "*", "%", "look"),
        *(macro.id for macro in space.macros.list()),
    ]


def snapshot(space: ricordo.Space) -> list[object]:
    chat = space.session("trip")
    return [
        *(space.entries(), space.schedules.list(), space.reminders.list(), space.documents.list()),
        *(chat.events(), chat.scratchpad(), space.macros.list(), space.approvals.list()),
        *(
            space.files.list(),
            space.files.read("plan.md"),
            space.files.checkpoints(),
            space.dreams.promotions(),
        ),
    ]


def told(tool: Tool, args: dict, space: ricordo.Space) -> str:
    result = outcome(tool, args, space)
    if isinstance(result, ToolFailure):
        return result.message + json.dumps(result.shape)
    return json.dumps(result)


@pytest.fixture
def canaries(lab, tmp_path) -> ricordo.Memory:
    """A memory with files and their history."""
    return lab.open(config={"workspace": str(tmp_path / "files"), "workspace_git": True})


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_no_tool_reaches_into_another_space(tool, canaries):
    ana, ben = canaries.space("ana"), canaries.space("ben")
    addresses = filled(ana)
    before = snapshot(ana)

    properties = tool.parameters["properties"]
    choice = next((name for name in ("action", "command") if name in properties), None)
    for address in addresses:
        args = {name: address for name in properties if name in ADDRESSES}
        for chosen in properties[choice]["enum"] if choice else [None]:
            whole = args | ({choice: chosen} if choice else {})
            said = told(tool, whole, ben)
            if CANARY not in address:
                assert CANARY not in said
            else:
                assert f"{CANARY} in a" not in said
                assert f"{CANARY} as a" not in said
    for example in tool.examples:
        assert CANARY not in told(tool, dict(example), ben)

    assert snapshot(ana) == before


def test_the_canaries_sing_in_their_own_space(canaries):
    ana = canaries.space("ana")
    filled(ana)

    heard = [
        told(tool, dict.fromkeys({"query"} & set(tool.parameters["properties"]), CANARY), ana)
        for tool in EVERY
    ]

    assert sum(f"{CANARY} in a" in each or f"{CANARY} as a" in each for each in heard) >= 6
