"""`ricordo recall`: what it prints, what it leaves out, and what it leaves behind."""

import pytest
from command_line import fields, ok, parsed, run

import ricordo


def test_recall_prints_score_source_time_and_text():
    ok("remember", "Prefers window seats", "--name", "seat")
    ok("append", "trip", "user", "A window would be nice", "--at", "2026-03-01")

    lines = [line.split("\t") for line in ok("recall", "window").splitlines()]

    assert {line[1] for line in lines} == {"seat", "trip#1"}
    assert all(float(line[0]) >= 0 for line in lines)
    assert ["2026-03-01 00:00:00", "A window would be nice"] in [line[2:] for line in lines]


def test_recall_as_json_has_the_fields_of_a_hit():
    ok("remember", "Prefers window seats", "--name", "seat")

    (hit,) = parsed("recall", "window")

    assert list(hit) == fields(ricordo.Hit)
    assert list(hit["source"]) == fields(ricordo.Source)
    assert list(hit["entry"]) == fields(ricordo.Entry)
    assert hit["at"].endswith("+00:00")


def test_recall_leaves_out_and_narrows_by_name(tmp_path):
    (tmp_path / "boat.md").write_text("window of a boat")
    ok("remember", "window one", "--name", "a/1")
    ok("remember", "window two", "--name", "b/1")
    ok("append", "trip", "user", "window three")
    ok("ingest", str(tmp_path), "--metadata", '{"shelf": 3}', "--origin", "web")

    def texts(*options: str) -> set[str]:
        return {hit["text"] for hit in parsed("recall", "window", *options)}

    left = texts("--exclude", "a/1", "--exclude", "trip")
    assert left == {"window two", "window of a boat"}
    assert texts("--prefix", "a/") == {"window one"}
    assert texts("--uri", tmp_path.as_uri()) == texts("--origin", "web") == {"window of a boat"}
    assert len(texts("--offset", "3")) == 1
    assert parsed("documents")[0]["metadata"] == {"shelf": 3}
    assert [entry["name"] for entry in parsed("list", "--exclude", "a/1")] == ["b/1"]
    assert [entry["name"] for entry in parsed("list", "--offset", "1")] == ["a/1"]


def test_recall_honours_its_filters():
    ok("remember", "window one", "--name", "a", "--tag", "t", "--category", "daily")
    ok("append", "trip", "user", "window two", "--at", "2026-03-01")
    ok("append", "home", "user", "window three", "--at", "2026-03-05")

    def texts(*options: str) -> set[str]:
        return {hit["text"] for hit in parsed("recall", "window", *options)}

    assert texts("--kind", "note") == texts("--tag", "t") == {"window one"}
    assert texts("--category", "daily") == texts("--origin", "agent") == {"window one"}
    assert texts("--session", "trip") == texts("--until", "2026-03-02") == {"window two"}
    assert texts("--since", "2026-03-04", "--kind", "message") == {"window three"}
    assert len(texts("--limit", "1")) == 1
    assert len(texts("--mode", "keyword")) == 3


def test_recall_as_of_a_time_prints_what_was_said_then():
    ok("remember", "lives in Lisbon", "--name", "home", "--at", "2026-03-01")
    ok("write", "home", "lives in Porto")
    ok("append", "trip", "user", "Lisbon is far", "--at", "2026-03-05")

    (hit,) = parsed("recall", "where is Lisbon", "--as-of", "2026-03-02")

    assert (hit["text"], hit["source"]["name"]) == ("lives in Lisbon", "home")
    assert parsed("recall", "Lisbon", "--as-of", "2026-02-02") == []
    assert "found: " in run("explain", "Lisbon", "home", "--as-of", "2026-03-02").output
    assert [each["text"] for each in parsed("recall", "far", "--as-of", "2026-03-05")] != []
    (hit,) = parsed("recall", "Lisbon", "--as-of", "2026-03-02", "--also", "other")
    assert hit["text"] == "lives in Lisbon"
    refused = run("recall", "Lisbon", "--as-of", "yesterday", "--profile", "bm25")
    assert refused.exit_code == 2
    assert "finds only what is said now" in refused.output


def test_times_may_be_said_in_words():
    ok("append", "trip", "user", "window today")
    ok("append", "trip", "user", "window long ago", "--at", "2020-03-05")

    for since in ("yesterday", "2 days ago", "an hour ago", "Last  Week"):
        (hit,) = parsed("recall", "window", "--since", since)
        assert hit["text"] == "window today"
    (hit,) = parsed("recall", "window", "--until", "yesterday")
    assert hit["text"] == "window long ago"
    refused = run("recall", "window", "--since", "some day")
    assert refused.exit_code == 2
    assert "yesterday" in refused.output


def test_explain_shows_a_bar_for_each_part():
    ok("remember", "Prefers window seats", "--name", "seat")
    ok("remember", "Likes tea", "--name", "tea")
    (hit,) = parsed("recall", "window", "--limit", "1", "--mode", "keyword")

    lines = ok("recall", "window", "--limit", "1", "--mode", "keyword", "--explain").splitlines()

    assert hit["parts"]
    assert {line.split()[1] for line in lines[1:]} == set(hit["parts"])
    assert all("█" in line for line in lines[1:])


def test_recall_first_makes_the_vectors_that_writers_left():
    ok("remember", "Prefers window seats", "--name", "seat")
    assert parsed("stats")["embedded"] == 0

    ok("recall", "window")

    assert parsed("stats")["embedded"] == 1


@pytest.mark.parametrize(("option", "note"), [("--explain", "201 chunks wait"), ("--quiet", "")])
def test_a_long_queue_is_left_to_flush_and_said_so(tmp_path, option, note):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        texts = [{"role": "user", "content": f"window {number}"} for number in range(201)]
        memory.space("default").session("s").extend(texts)

    result = run("recall", "window", option)

    assert result.exit_code == 0
    assert note in result.stderr
    assert bool(note) == bool(result.stderr)
    assert ok("flush") == "201 of 201 chunks embedded, 0 failed\n"
    assert run("recall", "window").stderr == ""


def test_asker_none_leaves_no_trace():
    ok("remember", "window", "--name", "seat")

    ok("recall", "window", "--asker", "none")
    assert parsed("stats")["signals"] == 0
    ok("recall", "window")
    assert parsed("stats")["signals"] == 1


def test_finding_nothing_is_no_error():
    assert ok("recall", "anything") == ""
    assert parsed("recall", "anything") == []


def test_metadata_filters_recall_and_lists():
    ok("remember", "the film Alien", "--name", "alien", "--metadata", '{"year": 79, "in": "en"}')
    ok("remember", "the film Amelie", "--name", "amelie", "--metadata", '{"year": 101}')

    def listed(*where: str) -> list[str]:
        given = [word for each in where for word in ("--where", each)]
        return [entry["name"] for entry in parsed("list", *given)]

    assert listed("in=en") == ["alien"]
    assert listed("year>=79", "year<100") == ["alien"]
    assert listed("in!=en") == ["amelie"]
    assert listed('{"$or": [{"in": "en"}, {"year": 101}]}') == ["amelie", "alien"]
    (hit,) = parsed("recall", "film", "--where", "year>80")
    assert hit["source"]["name"] == "amelie"
    assert "write key=value" in run("list", "--where", "nonsense").stderr
    assert "did you mean" in run("list", "--where", '{"year": {"$gtr": 1}}').stderr
