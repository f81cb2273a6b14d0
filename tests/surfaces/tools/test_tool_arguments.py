"""Whatever a model sends, only results and failures come back."""

import pytest
from every_tool import EVERY, assert_promised, label, outcome
from hypothesis import given, settings
from hypothesis import strategies as st

import ricordo
from ricordo.surfaces.faults import KINDS
from ricordo.surfaces.tools import Tool, ToolFailure

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
    with ricordo.open(path, embedder="hash") as memory:
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
