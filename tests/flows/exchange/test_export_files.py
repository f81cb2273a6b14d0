"""The file of an export: its shape, and that a bad one is refused before anything is written."""

import json
from pathlib import Path

import pytest
from ported import DAY, U

from ricordo.errors import InvalidInput, NotFound


def test_an_export_is_json_lines_with_a_version_and_a_count(full, tmp_path):
    done = full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "ana.jsonl").read_text().splitlines()]

    assert lines[0]["ricordo"] == "export"
    assert lines[0]["version"] == 1
    assert lines[-1] == {"type": "end", "records": len(lines) - 2}
    assert sum(done.records.values()) == len(lines) - 2
    assert done.bytes == (tmp_path / "ana.jsonl").stat().st_size
    assert (tmp_path / "ana.jsonl").stat().st_mode & 0o077 == 0


def test_an_export_never_overwrites_and_leaves_nothing_beside_it(full, tmp_path):
    (tmp_path / "there").write_text("mine")

    for path, error, word in (
        (tmp_path / "there", InvalidInput, "exists"),
        (tmp_path / "no" / "file", InvalidInput, "folder"),
        ("\0", InvalidInput, "path"),
    ):
        with pytest.raises(error, match=word):
            full.space("ana").exchange.export(path)
    with pytest.raises(NotFound, match="nobody"):
        full.space("nobody").exchange.export(tmp_path / "new")

    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith("memory")] == [
        "there"
    ]
    assert (tmp_path / "there").read_text() == "mine"


def changed(lines: list[str], number: int, **fields: object) -> list[str]:
    """The lines of an export with one record changed; None takes a field away."""
    record = json.loads(lines[number - 1]) | fields
    record = {key: value for key, value in record.items() if value != "<gone>"}
    return [*lines[: number - 1], json.dumps(record), *lines[number:]]


ENTRY = 8  # the first line that holds an entry
BAD = {
    "no header": (lambda lines: lines[1:], "line 1: .*not an export"),
    "a newer version": (lambda lines: changed(lines, 1, version=2), "line 1: .*version 2"),
    "cut off": (lambda lines: lines[:-1], "the last line is missing"),
    "one line less": (lambda lines: lines[:3] + lines[4:], "the export counts"),
    "something after the end": (lambda lines: [*lines, lines[2]], "after the last line"),
    "no JSON": (lambda lines: [*lines[:3], "{oops", *lines[4:]], "line 4: .*JSON"),
    "no object": (lambda lines: [*lines[:3], "[1]", *lines[4:]], "line 4: .*list"),
    "an unknown type": (lambda lines: changed(lines, 2, type="song"), "line 2: .*type 'song'"),
    "an unknown field": (lambda lines: changed(lines, 2, colour=1), "line 2: .*field 'colour'"),
    "a missing field": (lambda lines: changed(lines, 2, role="<gone>"), "line 2: .*'role'"),
    "a bad time": (lambda lines: changed(lines, 2, at="noon"), "line 2: at 'noon'"),
    "a time without zone": (lambda lines: changed(lines, 2, at="2024-01-01"), "time zone"),
    "a bad uid": (lambda lines: changed(lines, 2, uid="7"), "line 2: uid '7'"),
    "a negative seq": (lambda lines: changed(lines, 2, seq=-1), "line 2: seq is -1"),
    "a NUL": (lambda lines: changed(lines, 2, content="a\0b"), "line 2: .*NUL"),
    "a lone surrogate": (lambda lines: changed(lines, 2, content="\ud800"), "line 2: .*surrogate"),
    "a bad origin": (lambda lines: changed(lines, ENTRY, origin=1), "line 8: origin is int"),
    "a blank entry": (lambda lines: changed(lines, ENTRY, content=" "), "line 8: content is blank"),
    "an entry of parts": (lambda lines: changed(lines, ENTRY, content=[]), "line 8: content is"),
    "a bad kind": (lambda lines: changed(lines, ENTRY, kind="song"), "line 8: kind 'song'"),
    "a bad revision": (lambda lines: changed(lines, ENTRY, revisions=[{}]), "line 8: field"),
    "no importance": (lambda lines: changed(lines, ENTRY, importance=None), "line 8: importance"),
    "a bad range": (lambda lines: changed(lines, ENTRY, retells=["s", 1]), "line 8: retells"),
    "before 1970": (
        lambda lines: changed(lines, ENTRY, created_at="1960-01-01T00:00:00+00:00",
                              updated_at="1960-01-01T00:00:00+00:00"),
        "line 8: .*1970",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_by_line_and_nothing_is_written(lab, full, tmp_path, what):
    change, message = BAD[what]
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    lines = (tmp_path / "ana.jsonl").read_text().splitlines()
    (tmp_path / "bad.jsonl").write_text("\n".join(change(lines)) + "\n")
    memory = lab.open()

    with pytest.raises(InvalidInput, match=message):
        memory.space("copy").exchange.import_file(tmp_path / "bad.jsonl")

    assert memory.spaces() == []


def test_a_bad_line_behind_many_good_ones_is_found_before_anything_is_written(lab, tmp_path):
    source = lab.space("ana")
    source.session("trip").extend({"role": "user", "content": f"line {n}"} for n in range(1_200))
    source.exchange.export(tmp_path / "ana.jsonl")
    lines = (tmp_path / "ana.jsonl").read_text().splitlines()
    (tmp_path / "bad.jsonl").write_text("\n".join(changed(lines, 1_150, role=" ")) + "\n")
    memory = lab.open()

    with pytest.raises(InvalidInput, match="line 1150: role ' ' is not valid"):
        memory.space("copy").exchange.import_file(tmp_path / "bad.jsonl")

    assert memory.spaces() == []


@pytest.mark.parametrize("name", ["seq", "last_seq"])
def test_a_file_cannot_use_up_the_seqs_of_a_session(lab, tmp_path, name):
    """After 2**63 - 2 nothing could be said in the session any more."""
    source = lab.space("ana")
    source.session("trip").append("user", "hello")
    source.session("trip").write_scratchpad(["a line"])
    source.exchange.export(tmp_path / "ana.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "ana.jsonl").read_text().splitlines()]
    (row,) = [row for row in rows if name in row]
    row[name] = 2**63 - 2
    (tmp_path / "bad.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    memory = lab.open()

    with pytest.raises(InvalidInput, match=f"line {rows.index(row) + 1}: {name} is 922"):
        memory.space("copy").exchange.import_file(tmp_path / "bad.jsonl")

    assert memory.spaces() == []


def test_what_is_no_file_of_ours_is_refused(lab, tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty").write_bytes(b"")
    space = lab.space("ana")

    for path, error in (
        (tmp_path / "missing", NotFound),
        (tmp_path, InvalidInput),
        (tmp_path / "binary", InvalidInput),
        (tmp_path / "empty", InvalidInput),
        (7, InvalidInput),
    ):
        with pytest.raises(error):
            space.exchange.import_file(path)
    with pytest.raises(InvalidInput, match="origin 'me'"):
        space.exchange.import_file(tmp_path / "empty", origin="me")


def export_of(path: Path, *records: dict[str, object]) -> Path:
    head = {"ricordo": "export", "version": 1, "space": "x", "at": "2024-03-01T10:00:00+00:00"}
    lines = [head, *records, {"type": "end", "records": len(records)}]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


ARCHIVE = {
    "type": "entry", "uid": U + "1", "content": "They spoke", "kind": "archive",
    "created_at": DAY, "updated_at": DAY,
}  # fmt: skip
STATE = {
    "type": "session", "session": "trip", "scratchpad": [], "summary": "They spoke", "upto": 36,
    "summarized_at": None,
}  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        ARCHIVE | {"retells": ["trip", 5, 10**30]},
        ARCHIVE | {"retells": ["trip", 5, 4]},
        ARCHIVE | {"retells": ["trip", -1, 4]},
        STATE | {"upto": 10**30},
    ],
)
def test_numbers_that_no_log_has_are_refused_by_line(lab, tmp_path, record):
    space = lab.space()

    with pytest.raises(InvalidInput, match="line 2"):
        space.exchange.import_file(export_of(tmp_path / "bad.jsonl", record))

    assert space.entries() == space.sessions() == []


def test_a_summary_covers_nothing_that_comes_after_the_import(lab, tmp_path):
    """Upkeep took all of its events out before the export."""
    space = lab.space()
    space.exchange.import_file(export_of(tmp_path / "bare.jsonl", STATE))

    chat = space.session("trip")
    chat.append("user", "Where are the herons?")

    assert chat.summary().text == "They spoke"
    assert "Where are the herons?" in [told["content"] for told in chat.restore()]
