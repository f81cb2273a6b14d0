"""The tool registry: what it offers, what it refuses, and that nothing else comes out of it."""

import json
from pathlib import Path
from typing import Annotated, Literal, NotRequired, TypedDict

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import recollect
from recollect.core.measuring import estimate
from recollect.errors import InvalidInput
from recollect.surfaces.cli import cli
from recollect.surfaces.tools import Registry, Tool, ToolFailure, registry
from recollect.surfaces.tools.schema import About, parameters
from recollect.surfaces.tools.tool import KINDS, Toolset
from recollect.surfaces.tools.validating import complaint

EVERY = [tool for toolset in registry.toolsets() for tool in registry.toolset(toolset)]
SHAPED = {"keyed"}  # toolsets that answer with {"error": …}


def label(tool: Tool) -> str:
    return f"{tool.toolset}.{tool.name}"


def call(tool: Tool, args: object, space: recollect.Space, session: str | None = "trip"):
    return registry.call(tool.name, args, space, session, tool.toolset)  # type: ignore[arg-type]


def outcome(tool: Tool, args: object, space: recollect.Space):
    """The result, or the failure."""
    try:
        return call(tool, args, space)
    except ToolFailure as failure:
        return failure


# --- what is offered ----------------------------------------------------------------------------


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_every_tool_says_in_one_line_what_it_is_for(tool):
    assert 10 <= len(tool.purpose) <= 160
    assert tool.purpose.endswith(".")


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_every_tool_takes_one_object_and_nothing_unknown(tool):
    assert tool.parameters["type"] == "object"
    assert tool.parameters["additionalProperties"] is False
    assert set(tool.parameters.get("required", [])) <= set(tool.parameters["properties"])


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_every_schema_validates_its_own_examples(tool):
    assert tool.examples
    assert [complaint(tool.parameters, example) for example in tool.examples] == [None] * len(
        tool.examples
    )


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_no_tool_reaches_beyond_the_memory_and_readers_destroy_nothing(tool):
    assert tool.annotations.open_world is False
    assert not (tool.annotations.read_only and tool.annotations.destructive)


def test_the_documented_toolsets_are_there_with_their_tools():
    offered = {name: [tool.name for tool in registry.toolset(name)] for name in registry.toolsets()}

    assert offered["memory"] == ["memory"]
    assert offered["keyed"] == ["save_memory", "recall_memories", "forget_memory", "list_memories"]
    assert offered["notes"] == [
        *("memory_search", "memory_save", "memory_update", "memory_delete"),
        *("scratchpad_read", "scratchpad_write", "scratchpad_clear"),
    ]
    assert offered["schedules"] == [
        *("schedule_create", "schedule_search", "schedule_edit", "schedule_delete"),
        *("schedule_runs", "schedule_run_output"),
    ]
    assert offered["reminders"] == ["forge_reminder", "schedule_reminder"]
    assert offered["workspace"] == ["forge_memory_checkpoint", "memory_history"]
    assert offered["entries"] == ["remember", "recall", "forget"]
    assert offered["operations"] == ["add", "rename", "alias", "write", "remove"]
    assert offered["facts"] == ["remember_fact"]
    assert offered["scheduler"] == ["scheduler"]
    assert offered["chatgpt"] == ["search", "fetch"]
    assert offered["anthropic"] == ["memory"]


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_every_tool_and_each_of_its_arguments_is_documented(tool):
    page = (Path(__file__).resolve().parents[2] / "docs/tools.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|") and f"`{tool.name}`" in line]
    headings = "\n".join(line for line in page.splitlines() if line.startswith("## "))

    assert f"`{tool.toolset}`" in headings
    assert rows
    if tool.name != "memory":  # its arguments are told apart by action and by command
        documented = "\n".join(rows)
        assert [a for a in tool.parameters["properties"] if a not in documented] == []


@pytest.mark.parametrize("style", ["openai", "anthropic"])
def test_the_default_toolset_is_small(style):
    definitions = registry.definitions("default", style)

    assert len(definitions) <= 8
    assert estimate(json.dumps(definitions)) <= 1_500


def test_the_default_toolset_is_small_over_mcp_too():
    shown = [
        {key: value for key, value in each.items() if key not in ("outputSchema", "annotations")}
        for each in registry.definitions("default", "mcp")  # what hosts put before a model
    ]

    assert estimate(json.dumps(shown)) <= 1_500


def test_an_unknown_toolset_is_refused_with_the_nearest_name():
    with pytest.raises(InvalidInput, match="did you mean 'schedules'"):
        registry.toolset("schedule")


def test_toolsets_can_be_offered_together():
    names = [tool.name for tool in registry.toolset("notes, schedules")]

    assert names[0] == "memory_search"
    assert names[-1] == "schedule_run_output"


def test_toolsets_that_share_a_name_cannot_be_offered_together():
    with pytest.raises(InvalidInput, match="both have a tool 'remember'"):
        registry.toolset("default,entries")


def test_a_name_alone_means_the_default_toolset():
    assert registry.get("remember").toolset == "default"
    assert registry.get("remember", "entries").toolset == "entries"
    assert registry.get("save_memory").toolset == "keyed"


def test_a_name_that_several_toolsets_have_needs_the_toolset():
    with pytest.raises(ToolFailure, match="memory, anthropic; name one"):
        registry.get("memory")


def test_an_unknown_tool_is_refused_with_the_nearest_name(space):
    with pytest.raises(ToolFailure, match="did you mean 'recall'") as caught:
        registry.call("recal", {}, space)

    assert caught.value.kind == "not_found"


def test_names_are_listed_once():
    assert len(set(registry.names())) == len(registry.names())
    assert {tool.name for tool in EVERY} == set(registry.names())


# --- definitions for other runtimes -------------------------------------------------------------


def test_definitions_have_the_shape_that_each_runtime_wants():
    openai, anthropic, mcp = (
        registry.definitions("facts", style)[0] for style in ("openai", "anthropic", "mcp")
    )

    assert set(openai) == {"type", "function"}
    assert set(openai["function"]) == {"name", "description", "parameters"}
    assert set(anthropic) == {"name", "description", "input_schema"}
    assert set(mcp) == {"name", "description", "inputSchema", "annotations"}
    assert mcp["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_a_result_that_is_a_list_stands_under_result_over_mcp():
    search = registry.definitions("notes", "mcp")[0]

    assert search["outputSchema"]["properties"]["result"]["type"] == "array"


def test_anthropics_own_memory_tool_is_declared_by_its_type():
    assert registry.definitions("anthropic", "anthropic") == [
        {"type": "memory_20250818", "name": "memory"}
    ]


def test_a_definition_is_the_callers_own():
    registry.definitions("facts", "openai")[0]["function"]["parameters"]["properties"].clear()

    assert registry.get("remember_fact").parameters["properties"]


def test_an_unknown_style_is_refused():
    with pytest.raises(InvalidInput, match="openai, anthropic, mcp"):
        registry.definitions("default", "gemini")


@pytest.mark.parametrize("toolset", registry.toolsets())
@pytest.mark.parametrize("style", ["openai", "anthropic", "mcp"])
def test_every_definition_is_json(toolset, style):
    assert json.loads(json.dumps(registry.definitions(toolset, style)))


# --- schemas from signatures --------------------------------------------------------------------


class Pair(TypedDict):
    left: str
    right: NotRequired[int | None]


def paired(
    bound: None,
    name: Annotated[str, About("whose", shortest=1, longest=9)],
    pairs: Annotated[list[Pair], About(longest=2)],
    kind: Literal["a", "b"] = "a",
    count: Annotated[int | None, About(minimum=1, maximum=5)] = None,
) -> str:
    """Pair things."""
    return f"{name} {kind}"


def test_a_schema_comes_from_the_signature():
    assert parameters(paired) == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "whose", "minLength": 1, "maxLength": 9},
            "pairs": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "left": {"type": "string"},
                        "right": {"type": ["integer", "null"]},
                    },
                    "required": ["left"],
                    "additionalProperties": False,
                },
                "maxItems": 2,
            },
            "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "count": {"type": "integer", "minimum": 1, "maximum": 5},
        },
        "required": ["name", "pairs"],
        "additionalProperties": False,
    }


WRONG = [
    ({}, "name is missing; it is required"),
    ({"name": "ana"}, "pairs is missing; it is required"),
    ({"name": "", "pairs": []}, "name is empty; give at least 1 character"),
    ({"name": "x" * 10, "pairs": []}, "name has 10 characters; the limit is 9"),
    ({"name": 5, "pairs": []}, "name is 5; give text"),
    ({"name": "ana", "pairs": {}}, "pairs is {}; give a list"),
    ({"name": "ana", "pairs": [{}]}, "pairs[0].left is missing; it is required"),
    ({"name": "ana", "pairs": [], "kind": "c"}, "kind is 'c'; use one of a, b"),
    ({"name": "ana", "pairs": [], "count": True}, "count is True; give a whole number"),
    ({"name": "ana", "pairs": [], "count": 9}, "count is 9; give 1 to 5"),
    ({"name": "ana", "pairs": [], "cuont": 1}, "cuont is no argument here; did you mean count?"),
    ({"name": "ana", "pairs": [{"left": "a"}] * 3}, "pairs has 3 items; the limit is 2"),
]


@pytest.mark.parametrize(("args", "told"), WRONG)
def test_wrong_arguments_are_named_with_the_way_out(args, told):
    assert complaint(parameters(paired), args) == told


def test_a_list_that_is_too_short_is_told_how_long_it_has_to_be():
    schema = {"type": "array", "items": {"type": "integer"}, "minItems": 2}

    assert complaint(schema, [1], "view_range") == "view_range has 1 items; give at least 2"


# --- calling ------------------------------------------------------------------------------------


def small() -> Registry:
    toolset = Toolset("pairs", "to try things on")
    toolset.tool({"name": "ana", "pairs": []})(paired)
    return Registry([toolset])


def test_arguments_may_come_as_json_text(space):
    assert small().call("paired", '{"name": "ana", "pairs": []}', space) == "ana a"


def test_null_for_what_may_be_left_out_is_as_good_as_left_out(space):
    args = {"name": "ana", "pairs": [], "kind": None, "count": None}

    assert small().call("paired", args, space) == "ana a"


@pytest.mark.parametrize("args", ["{", "[1]", [1], 5, "nul", '{"name": null, "pairs": []}'])
def test_what_is_no_object_of_arguments_is_refused(space, args):
    with pytest.raises(ToolFailure) as caught:
        small().call("paired", args, space)

    assert caught.value.kind == "invalid_arguments"


def test_a_tool_that_needs_a_session_says_so_without_one(space):
    with pytest.raises(ToolFailure, match="works on a session") as caught:
        registry.call("scratchpad_read", {}, space)

    assert caught.value.kind == "failed"


def test_a_failing_store_is_told_without_its_words(tmp_path):
    with recollect.open(tmp_path / "agent.db", embedder="hash") as memory:
        space = memory.space("ana")
        space.remember("Lisbon", "home")

    with pytest.raises(ToolFailure) as caught:
        registry.call("remember", {"content": "Porto"}, space)

    assert caught.value.kind == "failed"
    assert str(tmp_path) not in caught.value.message
    assert "try again later" in caught.value.message
    assert caught.value.__cause__ is None


def test_a_lone_surrogate_in_an_argument_can_be_told_to_anybody(space):
    with pytest.raises(ToolFailure) as caught:
        registry.call("remember", {"content": "x", "name": "\ud800"}, space)

    assert caught.value.message.encode()


def endless(**args):
    inner = args
    for _ in range(5_000):
        inner["x"] = inner = {}
    return args


def test_arguments_without_end_are_not_kept(space):
    result = registry.call(
        "save_memory", {"key": "k", "content": "c", "metadata": endless()}, space
    )

    assert "nested" in result["error"]
    assert space.get("k") is None


def test_arguments_without_end_lead_to_no_suggestion(space):
    assert registry.call("suggest", {"tool": "t", "arguments": endless()}, space) == {
        "suggestions": []
    }


def test_a_whole_number_may_be_written_with_a_point(space):
    """JSON Schema calls 1.0 an integer, and there are clients that write no other."""
    space.remember("Prefers window seats", name="seat")
    space.remember("Prefers window tables", name="table")

    found = registry.call("recall", {"query": "window", "limit": 1.0}, space)

    assert len(found["hits"]) == 1
    with pytest.raises(ToolFailure, match="whole number"):
        registry.call("recall", {"query": "window", "limit": 1.5}, space)


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_an_extra_or_mistyped_argument_is_a_typed_failure(tool, space):
    for example in tool.examples:
        for wrong in ({**example, "bogus": 1}, dict.fromkeys(example, 1.5) | {"bogus": 1}):
            if tool.toolset in SHAPED:
                assert set(call(tool, wrong, space)) == {"error"}
                continue
            with pytest.raises(ToolFailure) as caught:
                call(tool, wrong, space)
            assert caught.value.kind == "invalid_arguments"


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_every_example_gives_what_the_result_promises(tool, space):
    space.remember("Lisbon", "home")
    for example in tool.examples:
        result = outcome(tool, example, space)
        if isinstance(result, ToolFailure):
            assert result.kind in ("not_found", "failed")  # an id of the example is not ours
        else:
            assert_promised(tool, result)


def assert_promised(tool: Tool, result: object) -> None:
    assert json.dumps(result, ensure_ascii=False).encode()
    if tool.result is None:
        assert isinstance(result, str)
    else:
        assert complaint(tool.result, result) is None


def test_what_a_model_is_shown_holds_no_scores_but_where_documented():
    scored = {
        label(tool) for tool in EVERY if "score" in json.dumps(tool.result) + str(tool.parameters)
    }

    assert scored == {"notes.memory_search"}


def test_tools_write_as_the_agent(space):
    registry.call("remember", {"content": "Lisbon", "name": "home"}, space)
    registry.call("memory_save", {"content": "Porto"}, space)
    registry.call("save_memory", {"key": "k", "content": "Faro"}, space)
    registry.call("remember_fact", {"category": "user", "key": "dog", "value": "Rex"}, space)
    registry.call("add", {"name": "n", "content": "Braga"}, space)

    assert {entry.origin for entry in space.entries()} == {"agent"}


# --- whatever a model sends ---------------------------------------------------------------------

TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["home", "1", "trip#1", "\0", "\ud800", " ", "/memories/a", "0198c0de-0000-7000"]
    ),
    st.sampled_from(
        ["2026-01-01", "10m", "daily", "* * * * *", "Europe/Berlin", "UTC", "-1", "9" * 30]
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def fitting(schema: dict) -> st.SearchStrategy:
    """Values that a schema allows, more or less."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if kind == "string":
        return TEXTS
    if kind == "integer":
        return st.integers(schema.get("minimum", -5), schema.get("maximum", 2**70))
    if kind == "boolean":
        return st.booleans()
    if kind == "array":
        return st.lists(fitting(schema["items"]), max_size=4)
    if kind == "object" and "properties" in schema:
        return st.fixed_dictionaries({k: fitting(v) for k, v in schema["properties"].items()})
    return st.dictionaries(TEXTS, JSON, max_size=3) if kind == "object" else JSON


def arguments(tool: Tool) -> st.SearchStrategy:
    known = tool.parameters["properties"]
    required = tool.parameters.get("required", [])
    near = st.fixed_dictionaries(
        {name: fitting(known[name]) for name in required},
        optional={name: fitting(known[name]) for name in known if name not in required},
    )
    far = st.dictionaries(st.sampled_from([*known, "bogus"]), JSON, max_size=4)
    return st.one_of(near, near, near, far, JSON)


@pytest.fixture(scope="module")
def used(tmp_path_factory):
    """A memory in a file that many calls wear on."""
    path = tmp_path_factory.mktemp("tools") / "agent.db"
    with recollect.open(path, embedder="hash") as memory:
        yield memory.space("ana")


@pytest.mark.parametrize("tool", EVERY, ids=label)
@settings(max_examples=40)
@given(data=st.data())
def test_whatever_a_model_sends_only_results_and_failures_come_back(tool, used, data):
    args = data.draw(arguments(tool))
    result = outcome(tool, args, used)
    if isinstance(result, ToolFailure):
        assert result.kind in KINDS
        assert result.message.encode()
    else:
        assert_promised(tool, result)


# --- isolation ----------------------------------------------------------------------------------

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


def filled(space: recollect.Space) -> list[str]:
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
    space.write_file("plan.md", f"{CANARY} in a workspace")
    commit = space.checkpoint(f"{CANARY} in a checkpoint")
    space.learn([{"name": "look", "arguments": {"at": f"{CANARY} in a call"}}, {"name": "see"}] * 9)
    space.approve(["look", "at", CANARY])
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
        *(macro.id for macro in space.macros()),
    ]


def snapshot(space: recollect.Space) -> list[object]:
    chat = space.session("trip")
    return [
        *(space.entries(), space.schedules(), space.reminders(), space.documents()),
        *(chat.events(), chat.scratchpad(), space.macros(), space.approvals()),
        *(space.files(), space.read_file("plan.md"), space.checkpoints(), space.promotions()),
    ]


def told(tool: Tool, args: dict, space: recollect.Space) -> str:
    result = outcome(tool, args, space)
    if isinstance(result, ToolFailure):
        return result.message + json.dumps(result.shape)
    return json.dumps(result)


@pytest.fixture
def canaries(lab, tmp_path) -> recollect.Memory:
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


# --- the command line ---------------------------------------------------------------------------


def typed(tmp_path, *words: str):
    shared = ("--db", str(tmp_path / "agent.db"), "--embedder", "hash")
    return CliRunner().invoke(cli, ["tools", *words, *shared], prog_name="recollect")


def test_tools_are_listed_by_toolset(tmp_path):
    every = typed(tmp_path).stdout.splitlines()
    some = typed(tmp_path, "list", "--toolset", "facts").stdout

    assert [line.split("\t")[:2] for line in every] == [[t.toolset, t.name] for t in EVERY]
    assert some.startswith("facts\tremember_fact\t")
    shown = json.loads(typed(tmp_path, "list", "--toolset", "facts", "--json").stdout)
    assert shown[0]["parameters"] == registry.get("remember_fact").parameters


def test_a_tool_is_called_from_the_command_line(tmp_path):
    kept = typed(tmp_path, "call", "remember", '{"content": "Prefers window seats"}')
    found = typed(tmp_path, "call", "recall", '{"query": "window"}')
    text = typed(tmp_path, "call", "recall", '{"query": "window"}', "--toolset", "entries")
    pad = typed(tmp_path, "call", "scratchpad_read", "--session", "trip")

    assert json.loads(kept.stdout)["id"] == 1
    assert json.loads(found.stdout)["hits"][0]["text"] == "Prefers window seats"
    assert text.stdout.endswith("Prefers window seats\n")
    assert json.loads(pad.stdout)["session_id"] == "trip"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("get", '{"name": "chair"}'), 3),
        (("get", "{}"), 2),
        (("get", "{"), 2),
        (("nothing",), 3),
        (("scratchpad_read",), 1),
        (("add", '{"name": "seat", "content": "x"}'), 4),
        (("save_memory", "{}"), 1),
        (("remember", "5"), 2),
        (("get", "{}", "--toolset", "nothing"), 2),
    ],
)
def test_a_call_that_fails_ends_with_the_code_of_its_kind(tmp_path, words, code):
    typed(tmp_path, "call", "add", '{"name": "seat", "content": "Window"}')

    assert typed(tmp_path, "call", *words).exit_code == code


def test_definitions_are_exported(tmp_path):
    printed = json.loads(typed(tmp_path, "export", "--style", "mcp", "--toolset", "notes").stdout)

    assert printed == registry.definitions("notes", "mcp")
