"""What the tool registry offers: toolsets, names, and definitions for other runtimes."""

import json
from pathlib import Path

import pytest
from every_tool import EVERY, label

from ricordo.core.text.token_cost import estimate
from ricordo.errors import InvalidInput
from ricordo.surfaces.tools import ToolFailure, registry
from ricordo.surfaces.tools.validate import complaint

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
    assert offered["files"] == ["list_files", "read_file", "write_file"]
    assert offered["chatgpt"] == ["search", "fetch"]
    assert offered["anthropic"] == ["memory"]


@pytest.mark.parametrize("tool", EVERY, ids=label)
def test_every_tool_and_each_of_its_arguments_is_documented(tool):
    page = (Path(__file__).resolve().parents[3] / "docs/tools.md").read_text(encoding="utf-8")
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


def test_a_name_that_is_not_in_the_default_toolset_means_the_first_that_has_it():
    assert registry.get("memory").toolset == "memory"


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
