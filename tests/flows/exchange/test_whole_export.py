"""An export is the whole of what is known: plans, permissions and what was learnt, too."""

import json

import pytest
from ported import told

from ricordo.errors import InvalidInput


def read_lines(path, kind):
    records = map(json.loads, path.read_text("utf-8").splitlines())
    return [each for each in records if each.get("type") == kind]


def test_an_export_holds_plans_permissions_and_what_was_learnt(full, tmp_path):
    done = full.space("ana").exchange.export(tmp_path / "ana.jsonl")

    plans = {each["name"]: each for each in read_lines(tmp_path / "ana.jsonl", "schedule")}
    [run] = read_lines(tmp_path / "ana.jsonl", "run")
    queries = [each["query"] for each in read_lines(tmp_path / "ana.jsonl", "signal")]
    assert {name: each["status"] for name, each in plans.items()} == {
        "report": "active", "oven": "completed", "plants": "paused",
    }  # fmt: skip
    assert (run["schedule"], run["output"]) == (plans["oven"]["id"], "did oven")
    assert queries[0] == "home Porto"
    assert done.records["approval"] == 2
    assert {"reminder", "succession", "promotion"} <= set(done.records)


def test_plans_from_a_file_are_planned_anew_and_not_trusted(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    lab.clock.advance(days=30)
    copy = lab.space("copy")

    done = copy.exchange.import_file(tmp_path / "ana.jsonl")

    report = copy.schedules.get("report")
    assert report.next_run_at > lab.clock()
    assert (report.trusted, copy.approvals.list()) == (False, [])
    assert sum("import with origin=None" in note for note in done.notes) == 2
    assert copy.schedules.get("oven").status == "completed"
    assert [each.text for each in copy.reminders.due("Atlas project")] == ["Ask for it"]


def test_what_was_erased_stays_away_with_all_that_hung_on_it(lab, full, tmp_path):
    ana = full.space("ana")
    ana.exchange.export(tmp_path / "ana.jsonl")
    ana.forget("home", erase=True)
    ana.session("trip").erase()

    done = ana.exchange.import_file(tmp_path / "ana.jsonl", origin=None)

    assert done.added == {}
    assert ana.dreams.signals() == ana.dreams.promotions() == []
    assert told(ana)["events"] == []


@pytest.mark.parametrize(
    ("kind", "field", "value", "told_of"),
    [
        ("run", "status", "maybe", "maybe"),
        ("signal", "asker", "somebody", "somebody"),
        ("succession", "next_pattern", {"path": 3}, "pattern"),
        ("promotion", "entry", "home", "home"),
    ],
)
def test_a_bad_line_is_refused_and_nothing_is_written(
    lab, full, tmp_path, kind, field, value, told_of
):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    lines = (tmp_path / "ana.jsonl").read_text("utf-8").splitlines()
    at = next(n for n, line in enumerate(lines) if json.loads(line).get("type") == kind)
    lines[at] = json.dumps({**json.loads(lines[at]), field: value})
    (tmp_path / "bad.jsonl").write_text("\n".join(lines) + "\n", "utf-8")

    with pytest.raises(InvalidInput, match=f"line {at + 1}.*{told_of}"):
        lab.space("copy").exchange.import_file(tmp_path / "bad.jsonl")
    assert "copy" not in lab.open().spaces()


def test_a_schedule_that_cannot_run_here_leaves_the_rest(lab, full, tmp_path):
    full.space("ana").exchange.export(tmp_path / "ana.jsonl")
    said = (tmp_path / "ana.jsonl").read_text("utf-8").replace("30 8 * * 1-5", "61 8 * * 1-5")
    (tmp_path / "odd.jsonl").write_text(said, "utf-8")
    copy = lab.space("copy")

    done = copy.exchange.import_file(tmp_path / "odd.jsonl")

    assert {each.name for each in copy.schedules.list()} == {"oven", "plants"}
    assert any("schedule 'report' is not taken" in note for note in done.notes)
