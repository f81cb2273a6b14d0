"""Calls of tools: a schema from the signature, and what is refused before a tool runs."""

import json
from typing import Annotated, Literal, NotRequired, TypedDict

import pytest
from every_tool import EVERY, assert_promised, call, label, outcome

import ricordo
from ricordo.surfaces.tools import Registry, ToolFailure, registry
from ricordo.surfaces.tools.schema import About, parameters
from ricordo.surfaces.tools.tool import Toolset
from ricordo.surfaces.tools.validate import complaint

SHAPED = {"keyed"}  # toolsets that answer with {"error": …}


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
    ({"name": "ana", "pairs": [], "cuont": 1}, "cuont is not an argument; did you mean count?"),
    ({"nmae": "ana", "pairs": []}, "nmae is not an argument; did you mean name?"),
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
    with ricordo.open(tmp_path / "agent.db", embedder="hash") as memory:
        space = memory.space("ana")
        space.remember("Lisbon", "home")

    with pytest.raises(ToolFailure) as caught:
        registry.call("remember", {"content": "Porto"}, space)

    assert caught.value.kind == "unavailable"
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
