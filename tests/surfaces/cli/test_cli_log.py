"""A log on the command line: read from its end, cut, replaced, edited, forked."""

from command_line import ok, parsed, run


def test_a_log_is_read_from_its_end_and_changed():
    for number in range(1, 5):
        ok("append", "trip", "user", f"line {number}")
    ok("append", "trip", "tool", "quiet", "--no-index", "--key", "k1")

    assert [e["content"] for e in parsed("chat", "tail", "trip", "2")] == ["line 4", "quiet"]
    assert [e["seq"] for e in parsed("chat", "tail", "trip", "2", "--before", "4")] == [2, 3]
    assert ok("append", "trip", "tool", "quiet", "--key", "k1").strip() == "5"
    assert [e["seq"] for e in parsed("chat", "truncate", "trip", "4", "--yes")] == [5]
    assert run("chat", "truncate", "trip", "1", "--yes", "--expect-last", "9").exit_code == 4
    given = '{"role": "user", "content": "four"}'
    assert ok("chat", "replace", "trip", "3", "-", stdin=given).strip() == "6"
    assert ok("chat", "edit", "trip", "1", "one").strip() == "1"
    assert [e["content"] for e in parsed("show", "trip")] == ["one", "line 2", "line 3", "four"]


def test_a_cut_asks_first():
    ok("append", "trip", "user", "line 1")

    assert run("chat", "truncate", "trip", "0", stdin="n\n").exit_code != 0
    assert parsed("chat", "info", "trip")["events"] == 1


def test_sessions_are_made_forked_and_deleted_by_prefix():
    assert parsed("chat", "create", "a") == {"created": True}
    assert parsed("chat", "create", "a", "--agent", "scout") == {"created": False}
    assert [each["session"] for each in parsed("sessions", "--agent", "scout")] == ["a"]
    assert parsed("sessions", "--agent", "coder") == []
    ok("append", "trip", "user", "one")
    ok("append", "trip", "user", "two")

    assert ok("chat", "fork", "trip", "trip/b", "--at", "1").strip() == "1"
    assert [s["session"] for s in parsed("sessions", "--prefix", "trip/")] == ["trip/b"]
    assert parsed("chat", "delete", "trip", "--prefix", "--yes")["removed"]["sessions"] == 2
    assert [s["session"] for s in parsed("sessions")] == ["a"]
