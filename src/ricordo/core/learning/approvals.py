"""Approvals: whether a prefix, as a list of words, covers a command. Pure.

A command is a line for a POSIX shell, or a list of words to be run without one. A line is covered
only if it is one plain command: whatever a shell would do beyond splitting it into words
(operators, expansions, globs, comments) makes it a matter to ask about. So do operators in a list.
Neither are the rules of other shells known here, nor what a program does with its arguments: one
that starts another program (`sudo`, `sh`, `xargs`) may do what is denied, so while something is
denied, it is asked about unless an answer names it.
"""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ricordo.core.text.content import clean
from ricordo.errors import InvalidInput, shorten
from ricordo.model import Answer

LONGEST = 100_000  # characters of a command
MOST_WORDS = 32  # of a prefix
LONGEST_WORD = 1_000

# These count wherever they stand, also in quotes and in a list of words: a person can say yes to
# the odd message with a semicolon, and nothing hangs on reading quotes as every shell does, nor on
# whether a list is really run without one.
_ALWAYS = re.compile(r"[;|&<>`$\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_UNQUOTED = frozenset("*?[]{}()!~#^")
_REDIRECTION = re.compile(r"\d*[<>]{1,3}[&|]?[ \t]*[^\s;|&<>()`$]+")
_PARTS = re.compile(r"[;|&<>`$(){}\n\r]+")
# What a shell reads before the name of a program: words of its own, and variables.
_BEFORE = re.compile(
    r"if|then|elif|else|do|while|until|time|coproc|exec|command|builtin|!|[A-Za-z_]\w*\+?=.*"
)
_OPTIONAL = frozenset({"command", "exec", "builtin", "time"})  # may have options before a program
_LAUNCHERS = frozenset({
    "sudo", "doas", "su", "runuser", "pkexec", "env", "sh", "bash", "dash", "zsh", "ksh",
    "fish", "ash", "csh", "tcsh", "busybox", "toybox", "eval", "exec", "command", "builtin",
    "source", ".", "xargs", "parallel", "find", "nohup", "nice", "ionice", "setsid", "stdbuf",
    "timeout", "time", "watch", "script", "flock", "chroot", "unshare", "nsenter",
    "systemd-run", "ssh", "strace", "ltrace", "taskset", "chrt", "setarch", "python", "python3",
    "perl", "ruby", "node", "deno", "bun", "php", "lua", "awk", "gawk",
})  # fmt: skip
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")


class RuledPrefix(NamedTuple):
    """A prefix with the answer that was given about it."""

    words: tuple[str, ...]
    allow: bool


class Ruling(NamedTuple):
    """What the prefixes say of a command, why, and by which of them.

    `is_open` says that something is denied that the command could do without showing it.
    """

    answer: Answer
    reason: str
    by: RuledPrefix | None = None
    is_open: bool = False


def prefix(given: object) -> tuple[str, ...]:
    """The words of a prefix, or InvalidInput if it could cover what nobody meant."""
    found = words(given)
    if found is None or not found:
        raise InvalidInput(
            f"{shorten(given):.200} is not one plain command; give its first words, no operators, "
            'for example ["git", "push"]'
        )
    if len(found) > MOST_WORDS or max(map(len, found)) > LONGEST_WORD:
        raise InvalidInput(
            f"the prefix has {len(found)} words; give up to {MOST_WORDS} of up to "
            f"{LONGEST_WORD} characters"
        )
    for word in found:
        clean(word, "a word of the prefix")
        if not word.strip() or set(word) & set("*?\n\r\0"):
            raise InvalidInput(
                f"the word {word!r} of {given!r:.200} is blank or a wildcard; a prefix is made of "
                "words as they are typed"
            )
    if _ASSIGNMENT.match(found[0]):
        raise InvalidInput(
            f"{found[0]!r} sets a variable; a prefix begins with the name of a program"
        )
    return found


def words(command: object) -> tuple[str, ...] | None:
    """The words of a plain command; None if it is more than that, or cannot be read."""
    if isinstance(command, str):
        return _split(command)
    if not isinstance(command, Sequence) or not all(isinstance(word, str) for word in command):
        raise InvalidInput(
            f"command {shorten(command):.200} is not valid; give a text or a list of words"
        )
    if any(map(_ALWAYS.search, command)):
        return None
    return tuple(command)


def rule(command: object, prefixes: Iterable[RuledPrefix]) -> Ruling:
    """What the prefixes say of a command: "allow", "deny" or "ask". What is denied stays denied."""
    known = list(prefixes)
    found = words(command)
    for each in [found] if found is not None else _parts(command):
        denied = _longest((one for one in known if not one.allow), each, is_denial=True)
        if denied is not None:
            return Ruling("deny", f"{_quote_prefix(denied)} is denied", denied)
    denials = [one for one in known if not one.allow]
    is_open = bool(denials) and (not found or _starts_others(found))
    if not found:
        return Ruling("ask", "it is more than one plain command, or none", None, is_open)
    allowed = _longest((one for one in known if one.allow), found, is_denial=False)
    if allowed is None:
        return Ruling("ask", "nothing was answered about it", None, is_open)
    if is_open and _mentions(found[len(allowed.words) :], denials):
        return Ruling("ask", "it names a program that is denied, and could start it", None, True)
    return Ruling("allow", f"{_quote_prefix(allowed)} is allowed", allowed, is_open)


def _starts_others(command: Sequence[str]) -> bool:
    """Whether a command is of a program that starts others, so that its name says little."""
    bare = _bare(command) or command
    return command[0] in _OPTIONAL or bare[0].rpartition("/")[2] in _LAUNCHERS


def _mentions(words: Sequence[str], denials: Iterable[RuledPrefix]) -> bool:
    """Whether a denied program is named somewhere in the rest of a command."""
    said = {part for word in words for part in re.split(r"[^\w.+-]+", word)}
    return any(one.words[0] in said for one in denials)


def covers(prefix: Sequence[str], command: Sequence[str]) -> bool:
    """Whether a command begins with these words, each of them whole."""
    return tuple(command[: len(prefix)]) == tuple(prefix)


def _longest(
    prefixes: Iterable[RuledPrefix], command: Sequence[str], *, is_denial: bool
) -> RuledPrefix | None:
    forms = [tuple(command)]
    if is_denial and command:
        # A denied program is also denied by its path, and behind what a shell reads before it.
        bare = _bare(command)
        forms += [tuple(bare), (bare[0].rpartition("/")[2], *bare[1:])] if bare else []
    covering = [one for one in prefixes if any(covers(one.words, form) for form in forms)]
    return max(covering, key=lambda one: len(one.words), default=None)


def _bare(command: Sequence[str]) -> Sequence[str]:
    """The command without variables set for it and words of the shell before it."""
    start = 0
    while start < len(command) and _BEFORE.fullmatch(command[start]):
        has_options = command[start] in _OPTIONAL
        start += 1
        while has_options and command[start : start + 1] and command[start].startswith("-"):
            start += 2 if command[start] == "-a" else 1  # exec -a NAME
    return command[start:]


def _split(line: str) -> tuple[str, ...] | None:
    if len(line) > LONGEST or _ALWAYS.search(line) or _has_expansion(line):
        return None
    try:
        return tuple(shlex.split(line, posix=True))
    except ValueError:  # a quotation that does not end
        return None


def _has_expansion(line: str) -> bool:
    """Whether a shell would read something into the line outside of its quotes."""
    quote, before = "", " "
    is_escaped = False
    for mark in line:
        if is_escaped:
            is_escaped = False
        elif mark == "\\" and quote != "'":
            is_escaped = True
        elif quote:
            quote = "" if mark == quote else quote
        elif mark in "'\"":
            quote = mark
        elif mark in _UNQUOTED and not (mark in "~#^" and before.isalnum()):
            return True
        before = mark
    return False


def _parts(command: object) -> list[tuple[str, ...]]:
    """The commands that a line for a shell seems to hold, to find what is denied among them."""
    whole = command if isinstance(command, str) else shlex.join(map(str, _as_words(command)))
    joined = whole[:LONGEST].replace("\\\n", "")  # a line that goes on in the next one
    found = []
    for part in _PARTS.split(_REDIRECTION.sub(" ", joined)):
        try:
            read = shlex.split(part, posix=True)
        except ValueError:
            read = part.replace('"', " ").replace("'", " ").split()
        if read:
            found.append(tuple(read))
    return found


def _as_words(command: object) -> Sequence[object]:
    return command if isinstance(command, Sequence) else ()


def _quote_prefix(ruled: RuledPrefix) -> str:
    return repr(shlex.join(ruled.words))
