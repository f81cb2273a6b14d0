"""Names say what they are: functions are verbs or questions, and a class name stands once."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import ricordo

SOURCE = Path(ricordo.__file__).parent

# Participles that end in neither -ed nor -ing. Those that are also a verb in the present (cut, put,
# read, run, set) are missing on purpose.
IRREGULAR = """
    begun born bound bought broken brought built caught chosen dealt done drawn driven dug fallen
    fed felt forgotten found frozen given gone grown heard held hidden kept known laid learnt left
    lent lost made meant met paid proven said seen sent shaken shown sold sought spent spoken stolen
    stood struck sunk swept taken taught thought thrown told torn understood undone woken won worn
    written
"""
# Words that end like a participle and are a verb or a noun.
NO_PARTICIPLES = """
    bring embed everything feed heading meaning need nothing seed setting something speed spending
    string substring thing warning
"""
# Words before a participle that leave it bare: `_last_said`, `least_trusted`.
SMALL = {"last", "least", "most", "newly", "next", "not", "once", "still", "yet"}

EXCEPTIONS = {
    "upcoming": "a tool, a verb and a method of the public API",
    "spent": "a property of the public ChatModel",
}
# Classes whose name stands twice because `aio` mirrors the handles.
MIRRORS = """
    Keeper Memory Session Space SpaceApprovals SpaceDocuments SpaceDreams SpaceExchange SpaceFiles
    SpaceMacros SpaceRecords SpaceReminders SpaceSchedules
"""


def trees() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(SOURCE.rglob("*.py")):
        yield str(file.relative_to(SOURCE)), ast.parse(file.read_text(encoding="utf-8"))


def functions() -> Iterator[tuple[str, str]]:
    """Every function of the package with its file. A tool has the name that its toolset fixes."""
    for file, tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            is_tool = any(".tool(" in ast.unparse(each) for each in node.decorator_list)
            if not is_tool and not node.name.startswith("__"):
                yield file, node.name


def is_participle(word: str) -> bool:
    if word in NO_PARTICIPLES.split():
        return False
    return word in IRREGULAR.split() or (len(word) > 4 and word.endswith(("ed", "ing")))


def is_bare_participle(name: str) -> bool:
    """Whether a participle is all that a name says; after a verb it is the object of one."""
    *before, last = name.strip("_").split("_")
    return is_participle(last) and set(before) <= SMALL and last not in EXCEPTIONS


def test_no_function_is_a_bare_participle():
    assert [f"{file}: {name}" for file, name in functions() if is_bare_participle(name)] == []


def test_the_guard_knows_a_bare_participle_when_it_sees_one():
    for name in ("told", "_last_said", "compacting", "least_trusted"):
        assert is_bare_participle(name)
    for name in ("is_told", "list_pending", "parse_cadence", "embed", "_read", "spending"):
        assert not is_bare_participle(name)


def test_every_exception_is_still_needed():
    assert {name.strip("_") for _, name in functions()} >= set(EXCEPTIONS)


def test_a_class_name_stands_once():
    homes: dict[str, set[str]] = defaultdict(set)
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(file)

    assert {
        name: at for name, at in homes.items() if len(at) > 1 and name not in MIRRORS.split()
    } == {}
