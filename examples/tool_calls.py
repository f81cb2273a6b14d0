"""Give the tools of a memory to any runtime: declare them, run what the model calls, answer it.

Here the calls are written down; a chat model would send the same JSON.
"""

import json

import ricordo
from ricordo.surfaces.tools import ToolFailure, registry

CALLS = [
    ("remember", '{"content": "Prefers window seats", "name": "seat", "tags": ["travel"]}'),
    ("recall", '{"query": "where does she like to sit?"}'),
    ("remind", '{"text": "Check in for the flight", "at": "in 2 hours"}'),
    ("get", '{"name": "chair"}'),
    ("recal", '{"query": "seat"}'),
]


def answer(space: ricordo.Space, name: str, arguments: str) -> str:
    """What to send back to the model for one call."""
    try:
        return json.dumps(registry.call(name, arguments, space))
    except ToolFailure as failure:
        return failure.message


with ricordo.open("agent.db") as memory:
    declared = registry.definitions("default", style="openai")
    print("declared:", ", ".join(tool["function"]["name"] for tool in declared))
    for name, arguments in CALLS:
        print(f"{name}: {answer(memory.space('ana'), name, arguments)}")
