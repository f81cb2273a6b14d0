"""Free JSON is bounded on every way into a memory, with an error that names size and limit."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import ricordo
from ricordo import InvalidInput, Settings
from ricordo.flows.writing.free_json import count_least, pack_metadata
from ricordo.store.codec import dumps
from ricordo.surfaces.cli.main import cli
from ricordo.surfaces.tools import ToolFailure, registry

LIMIT = 2_000
FITS, TOO_MUCH = {"state": "x" * (LIMIT - 12)}, {"state": "x" * (LIMIT - 11)}

WAYS = {
    "remember": lambda ana, held: ana.remember("x", metadata=held),
    "append": lambda ana, held: ana.session("s").append("user", "x", metadata=held),
    "extend": lambda ana, held: ana.session("s").extend(
        [{"role": "user", "content": "x", "metadata": held}]
    ),
    "beside": lambda ana, held: ana.session("s").extend(
        [{"role": "user", "content": "x", "state": held["state"]}]
    ),
    "tool_calls": lambda ana, held: ana.session("s").append(
        "assistant", "x", tool_calls=[held["state"] + 8 * "x"]
    ),
    "ingest": lambda ana, held: ana.ingest("x", uri="doc:1", metadata=held),
    "summary": lambda ana, held: ana.session("s").write_summary("x", 0, 0, metadata=held),
}


@pytest.fixture
def ana(lab):
    return lab.open(config=Settings(max_metadata=LIMIT)).space("ana")


@pytest.mark.parametrize("way", WAYS)
def test_metadata_beyond_the_limit_is_refused_with_its_size(ana, way):
    ana.session("s").append("user", "hello")

    with pytest.raises(InvalidInput, match=r"takes 2,001 bytes as JSON, the limit is 2,000"):
        WAYS[way](ana, TOO_MUCH)

    assert ana.stats().events == 1
    assert ana.entries() == ana.documents.list() == []
    WAYS[way](ana, FITS)


@pytest.mark.parametrize("kind", ["event", "entry", "revision", "document"])
def test_an_import_refuses_such_metadata_with_its_line(lab, ana, tmp_path, kind):
    rich = lab.open().space("rich")
    if kind == "event":
        rich.session("s").append("user", "x", metadata=TOO_MUCH)
    elif kind == "document":
        rich.ingest("x", uri="doc:1", metadata=TOO_MUCH)
    else:
        rich.remember("x", name="n", metadata=TOO_MUCH)
        if kind == "revision":
            rich.remember("y", name="n", metadata={})
    rich.exchange.export(tmp_path / "rich.jsonl")

    with pytest.raises(InvalidInput, match=r"line \d+: metadata takes 2,001 bytes"):
        ana.exchange.import_file(tmp_path / "rich.jsonl")

    assert ana.entries() == ana.documents.list() == ana.sessions() == []


def test_tools_refuse_it_in_their_own_shape(ana):
    saved = {"key": "k", "content": "x", "category": "daily", "metadata": TOO_MUCH}
    noted = {"action": "remember", "content": "x", "context": "x" * LIMIT}

    told = registry.call("save_memory", saved, ana, "trip", "keyed")
    with pytest.raises(ToolFailure, match="the limit is 2,000"):
        registry.call("memory", noted, ana, "trip", "memory")

    assert "the limit is 2,000" in told["error"]
    assert ana.entries() == []


def test_the_command_line_refuses_it(tmp_path, monkeypatch):
    monkeypatch.setenv("RICORDO_MAX_METADATA", str(LIMIT))
    words = ["--db", str(tmp_path / "a.db"), "remember", "x", "--metadata", json.dumps(TOO_MUCH)]

    result = CliRunner().invoke(cli, words)

    assert result.exit_code == 2
    assert "the limit is 2,000" in result.stderr


def test_what_is_far_too_large_is_not_written_out_first(ana):
    """A hundred names for one text: written out it would take a hundred times as much."""
    text = "x" * 1_000_000

    with pytest.raises(InvalidInput, match="at least 100,000,"):
        ana.remember("x", metadata={str(number): text for number in range(100)})
    with pytest.raises(InvalidInput, match="has 100,00"):
        ana.session("s").append("user", [{"type": "text", "text": text} for _ in range(100)])


def test_the_limit_counts_bytes_and_not_characters():
    least = Settings(max_metadata=100)

    assert len(pack_metadata({"k": "x" * 92}, least)) == 100
    with pytest.raises(InvalidInput, match="takes 192 bytes"):
        pack_metadata({"k": "é" * 92}, least)


def test_a_state_of_half_a_megabyte_is_kept_unless_told_otherwise(lab):
    state = {"values": ["word"] * 70_000}

    assert lab.space().remember("x", metadata=state).metadata == state


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abé\n"), inner),
)  # fmt: skip


@settings(max_examples=40)
@given(VALUES)
def test_the_least_is_never_more_than_what_it_takes_and_never_far_below(value):
    size = len(dumps(value, "it").encode())

    assert count_least(value) <= size <= 24 * count_least(value)


def test_a_setting_of_nothing_is_refused():
    with pytest.raises(InvalidInput, match="max_metadata"):
        ricordo.open(":memory:", config={"max_metadata": 0})
