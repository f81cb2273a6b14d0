"""`ricordo eval` measures recall on anybody's conversations."""

import json

import pytest
from click.testing import CliRunner

import ricordo
from ricordo.surfaces.cli import evaluation
from ricordo.surfaces.cli.main import cli

SAID = [
    ("m1", "s1", "Ana", "I adopted a greyhound called Biscuit"),
    ("m2", "s1", "Ben", "Congratulations, what does he eat?"),
    ("m3", "s1", "Ana", "Mostly chicken and rice"),
    ("m4", "s2", "Ben", "The concert was sold out"),
    ("m5", "s2", "Ana", "The concert was sold out"),
]
ASKED = [("What is the greyhound called?", ["m1"]), ("Which concert was sold out?", ["m4", "m5"])]


@pytest.fixture
def talks(tmp_path):
    lines = [
        {
            "type": "message",
            "conversation": "c",
            "id": id,
            "session": session,
            "speaker": speaker,
            "time": "2026-03-01T10:00:00+00:00",
            "text": text,
        }
        for id, session, speaker, text in SAID
    ]
    lines += [
        {"type": "question", "conversation": "c", "text": text, "gold": gold, "category": "x"}
        for text, gold in ASKED
    ]
    path = tmp_path / "talks.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_every_profile_gets_a_column(talks):
    ran = CliRunner().invoke(
        cli,
        ["eval", str(talks), "--profile", "default", "--profile", "two_tier", "--json"],
        env={"RICORDO_EMBEDDER": "hash"},
    )

    told = json.loads(ran.stdout)
    assert ran.exit_code == 0, ran.output
    assert told["questions"] == 2
    assert set(told["profiles"]) == {"default (hybrid)", "two_tier (hybrid)"}
    assert told["profiles"]["two_tier (hybrid)"]["R@5"] == 1.0


def test_a_text_said_twice_is_one_hit_that_counts_for_both_messages(talks):
    (report,) = evaluation.evaluate(
        evaluation.read(talks), [("two_tier", "keyword")], embedder="none"
    )

    assert report.rows[1]["all@10"] == 1.0


def test_questions_that_nothing_answers_are_left_out(tmp_path):
    path = tmp_path / "talks.jsonl"
    lines = [
        {"type": "message", "id": "m1", "text": "hello"},
        {"type": "question", "text": "hello?", "gold": ["m1"]},
        {"type": "question", "text": "what?", "gold": []},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")

    (report,) = evaluation.evaluate(evaluation.read(path), [("default", "keyword")])

    assert len(report.rows) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"type": "question", "text": "x?", "gold": ["m", "m9"]}', "has the id 'm9'"),
        ('{"type": "question", "text": "x?", "gold": "m"}', "give a list of ids"),
        ('{"type": "message", "id": "m", "text": "y"}', "give each message its own"),
    ],
)
def test_a_line_that_would_be_scored_wrongly_is_refused(tmp_path, line, told):
    path = tmp_path / "talks.jsonl"
    path.write_text('{"type": "message", "id": "m", "text": "x"}\n' + line, encoding="utf-8")

    with pytest.raises(ricordo.InvalidInput, match=f"line 2 .*{told}"):
        evaluation.read(path)


def test_a_file_without_gold_cannot_be_measured(tmp_path):
    path = tmp_path / "talks.jsonl"
    path.write_text('{"type": "question", "text": "x?", "gold": []}', encoding="utf-8")

    ran = CliRunner().invoke(cli, ["eval", str(path)])

    assert ran.exit_code == 2
    assert "no question with gold" in ran.stderr


@pytest.mark.parametrize("line", ["{", '{"type": "message"}', "[1]", '{"type": "question"}'])
def test_a_bad_line_is_named(tmp_path, line):
    path = tmp_path / "talks.jsonl"
    path.write_text('{"type": "message", "id": "m", "text": "x"}\n' + line, encoding="utf-8")

    with pytest.raises(ricordo.InvalidInput, match="line 2"):
        evaluation.read(path)
