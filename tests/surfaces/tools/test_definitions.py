"""What a definition costs a model, and that it promises nothing that a result does not keep."""

import json

import pytest

from ricordo.surfaces.tools import ToolFailure, registry
from ricordo.surfaces.tools.export import is_object, output
from ricordo.surfaces.tools.validate import complaint

EVERY = [tool for toolset in registry.toolsets() for tool in registry.toolset(toolset)]
LETTERS = 4  # of a token, as hosts reckon


@pytest.mark.parametrize("style", ["openai", "anthropic", "mcp"])
def test_the_default_toolset_costs_at_most_1700_tokens_with_all_that_is_told(style):
    assert len(json.dumps(registry.definitions("default", style))) / LETTERS <= 1_700


@pytest.mark.parametrize("tool", EVERY, ids=lambda tool: f"{tool.toolset}.{tool.name}")
def test_a_result_is_told_to_a_host_by_its_fields(tool):
    told = output(tool)

    if tool.result is None:
        assert told is None
        return
    assert told["type"] == "object"
    assert "description" not in json.dumps(list(told["properties"].values()))
    fields = tool.result["properties"] if is_object(tool.result) else ["result"]
    assert set(told["properties"]) == set(fields)


@pytest.mark.parametrize("tool", EVERY, ids=lambda tool: f"{tool.toolset}.{tool.name}")
def test_every_result_is_what_a_host_was_told(tool, space):
    for example in tool.examples:
        try:
            result = registry.call(tool.name, example, space, "trip", tool.toolset)
        except ToolFailure:
            continue
        if tool.result is not None:
            structured = result if is_object(tool.result) else {"result": result}
            assert complaint(output(tool), structured) is None
