"""Approvals: a prefix covers whole words of one plain command, and nothing else."""

import shlex
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ricordo.core.learning.approvals import RuledPrefix, covers, prefix, rule, words
from ricordo.errors import InvalidInput

PUSH = [RuledPrefix(("git", "push"), True)]
GIT = [RuledPrefix(("git",), True)]


def answer(command, *prefixes):
    return rule(command, prefixes).answer


@pytest.mark.parametrize(
    "command",
    [
        "git push",
        "git push origin main",
        "git\tpush",
        "  git   push  ",
        "'git' push",
        'git "push" --force',
        "g''it pu\\sh",
        'git push -m "two words"',
        "git push \"a*b\" '[x]'",
        "git push HEAD~1 HEAD^2 a#b",
        ["git", "push", "origin"],
        ["git", "push", "a * [b] {c,d}", "it's"],
    ],
)
def test_a_plain_command_that_begins_with_the_words_is_covered(command):
    assert answer(command, *PUSH) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "git pushx",
        "gitpush",
        "gitk",
        "git",
        "git -C . push",
        "git 'push origin'",
        '"git push"',
        "git push\\ origin",
        "GIT push",
        "ｇｉｔ push",
        "git\u00a0push",
        "git\u2003push",
        "./git push",
        "/usr/bin/git push",
        "X=1 git push",
        "env git push",
        ["git push"],
        ["git", "pushx"],
        ["git"],
        [],
        "",
        "   ",
    ],
)
def test_what_only_looks_alike_is_not_covered(command):
    assert answer(command, *PUSH) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "git push; rm -rf /",
        "git push;rm x",
        "git push & rm x",
        "git push && rm x",
        "git push || rm x",
        "git push | sh",
        "git push > f",
        "git push >> f",
        "git push < f",
        "git push 2>&1",
        "git push <(rm x)",
        "git push $(rm x)",
        "git push `rm x`",
        'git push "$(rm x)"',
        'git push "`rm x`"',
        "git push $HOME",
        'git push "${X}"',
        "git push\nrm x",
        "git push\r\nrm x",
        "git push \\\nrm x",
        "git push\x00rm",
        "git push\x1brm",
        "git push\u2028rm x",
        "git push *",
        "git push [a-z]",
        "git push ?",
        "git push {a,b}",
        "git push ~/x",
        "git push !!",
        "git push # no",
        "(git push)",
        "{ git push; }",
        "git push 'unended",
        'git push "unended',
        "git push \\",
        "git push 'a' 'b;c'",
        ["git", "push", ";", "rm", "-rf", "/"],
        ["git", "push", "&&", "rm"],
        ["git", "push", "2>&1"],
        ["git", "push", "a\0b"],
        ["git", "push", "origin;", "rm"],
        ["git", "push", "; rm -rf /"],
        ["git", "push", "&&rm"],
        ["git", "push", ">f"],
        ["git", "push", "$(rm x)"],
        ["git", "push", "`rm x`"],
        ["git", "push", "a\nrm x"],
    ],
)
def test_what_a_shell_would_do_beyond_words_is_never_covered(command):
    assert answer(command, *PUSH, *GIT) == "ask"


WORD = st.text(string.ascii_letters + string.digits + "-_./=:@,+% '\"\\", min_size=0, max_size=8)
OPERATORS = st.sampled_from(
    [
        ";",
        "|",
        "||",
        "&",
        "&&",
        "<",
        ">",
        ">>",
        "`",
        "$",
        "$(",
        "${x}",
        "\n",
        "\r",
        "\0",
        "<(",
        ">&",
    ]
)


@given(st.lists(WORD, max_size=5), st.lists(WORD, max_size=5), OPERATORS, st.booleans())
def test_no_command_with_an_operator_anywhere_is_ever_approved(before, after, operator, is_quoted):
    line = " ".join(["git push", *before, operator, *after])
    if is_quoted:
        line = shlex.join(["git", "push", *before, operator, *after])

    assert answer(line, *PUSH, *GIT) != "allow"
    assert words(line) is None


@given(st.integers(0, 40), OPERATORS, st.lists(WORD, max_size=4))
def test_an_operator_inside_any_word_is_seen(place, operator, rest):
    line = shlex.join(["git", "push", *rest])
    at = min(place, len(line))

    assert answer(line[:at] + operator + line[at:], *PUSH, *GIT) != "allow"


@given(st.lists(st.text(max_size=12), max_size=6))
def test_an_approved_line_is_split_as_a_shell_splits_it(rest):
    line = shlex.join(["git", "push", *rest])

    read = words(line)

    assert read is None or read == ("git", "push", *rest)


@given(st.text(max_size=40))
def test_whatever_is_read_holds_none_of_the_signs(text):
    read = words(text)

    if read is not None:
        assert not set(text) & set(";|&<>`$\n\r\0")


@given(st.lists(WORD, min_size=1, max_size=4), st.lists(WORD, max_size=4))
def test_a_prefix_covers_whole_words_only(first, rest):
    assert covers(first, [*first, *rest])
    assert not covers(first, [*first[:-1], first[-1] + "x", *rest])


# --- denying ----------------------------------------------------------------------------------


def test_denied_wins_whatever_is_allowed():
    rules = [
        RuledPrefix(("git",), True),
        RuledPrefix(("git", "push"), False),
        RuledPrefix(("git", "push"), True),
    ]

    assert answer("git push origin", *rules) == "deny"
    assert answer("git status", *rules) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf x",
        "/bin/rm x",
        "r''m x",
        "X=1 rm x",
        "git status; rm x",
        "git log && /bin/rm x",
        "echo $(rm x)",
        "echo `rm x`",
        "r\\\nm x",
        "if true; then rm x; fi",
        "while ! rm x; do :; done",
        "exec rm x",
        "2>/dev/null rm x",
        "> f rm x",
        "git log >f; rm x",
        "git log > $(rm x)",
        ["rm", "x"],
        ["git", "log", ";", "rm", "x"],
        ["git", "log;", "rm", "x"],
    ],
)
def test_a_denied_command_is_found_behind_quotes_paths_and_operators(command):
    assert answer(command, *GIT, RuledPrefix(("rm",), False)) == "deny"


def test_a_denied_word_elsewhere_is_no_denial():
    assert answer("git log rm", *GIT, RuledPrefix(("rm",), False)) == "allow"
    assert answer("git log > rm", *GIT, RuledPrefix(("rm",), False)) == "ask"


# --- prefixes ---------------------------------------------------------------------------------


def test_a_prefix_is_kept_as_it_is_told():
    assert prefix("git status") == ("git", "status")
    assert prefix(["git"]) == ("git",)


@pytest.mark.parametrize(
    "given",
    ["*", ["*"], ["git", "*"], "git *", "", [], [""], ["  "], "git; rm", "a | b", ["&&"], "X=1 git",
     ["X=1", "git"], "git 'x", ["a\nb"], ["w"] * 33, "\ud800"],
)  # fmt: skip
def test_a_prefix_that_could_cover_anything_is_refused(given):
    with pytest.raises(InvalidInput):
        prefix(given)


@pytest.mark.parametrize("given", [None, 3, {"a": 1}, ["git", 3], b"git push"])
def test_what_is_no_command_is_refused(given):
    with pytest.raises(InvalidInput, match="command"):
        rule(given, PUSH)


HIDDEN = (
    "r$@m x", "sudo rm x", "X=rm; $X x", "sh -c 'rm x'", "command -p rm x", "exec -a z rm x",
    "/usr/bin/env rm x", "xargs rm", "find . -delete", "nohup r\\m x", "r''m x; true",
    "echo x | sh", "time -p sh -c x",
)  # fmt: skip


@pytest.mark.parametrize("line", HIDDEN)
def test_what_could_hide_a_denied_command_is_open(line):
    ruling = rule(line, [RuledPrefix(("rm",), False)])

    assert ruling.answer == "deny" or ruling.is_open
    assert not rule(line, [RuledPrefix(("rm",), True)]).is_open


@pytest.mark.parametrize("line", ["command -p rm x", "exec -a z rm x", "exec -cl rm x"])
def test_options_of_the_shell_do_not_hide_a_denied_program(line):
    assert answer(line, RuledPrefix(("rm",), False)) == "deny"


def test_an_allowed_launcher_does_not_start_what_is_denied():
    known = (RuledPrefix(("sudo",), True), RuledPrefix(("rm",), False))

    assert answer("sudo systemctl restart web", *known) == "allow"
    assert answer("sudo rm x", *known) == "ask"
    assert answer(["sh", "-c", "rm x"], RuledPrefix(("sh",), True), known[1]) == "ask"
