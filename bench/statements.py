"""How often the facts read out of plain statements are right, and how many are found.

`python -m bench.statements` judges `bench/statements/judge.txt`; another file may be named. A fact
is right if its value is one that the file expects and its key has a word of the expected key.
The other files say in free words what a value is about: there a fact is right if one value holds
the other. The halves of `varied.txt` are reported apart: the patterns were tuned on the even one
alone. `everyday_seen.txt` and `everyday_unseen.txt` were written before anybody looked at the
patterns; these were mended after the first, and measured on the second once. So were those for
other languages, with `languages.txt` and `languages_unseen.txt`.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from ricordo.core.conversation.extract_facts import read_text
from ricordo.core.conversation.stated_facts import StatedFact

FOLDER = Path(__file__).parent / "statements"


class Statement(NamedTuple):
    text: str
    facts: list[tuple[str, str]]


class Score(NamedTuple):
    right: int
    wrong: int
    missed: int
    found: int | None = None  # expected facts that were found, where several values may hold one

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        found = self.right if self.found is None else self.found
        return found / max(1, found + self.missed)


def load_statements(path: Path) -> list[Statement]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_parse(line) for line in lines if line.strip() and not line.startswith("#")]


def score_statements(statements: list[Statement], *, show: bool = False) -> Score:
    """Count facts that are right, wrong and missed; show those that are not right."""
    right = wrong = missed = 0
    for text, expected in statements:
        left = list(expected)
        for fact in read_text(text):
            match = next((one for one in left if _agrees(fact, one)), None)
            if match is None:
                wrong += 1
                if show:
                    print(f"wrong   {fact.key}: {fact.value}   <- {text}")
            else:
                left.remove(match)
                right += 1
        missed += len(left)
        if show:
            for key, value in left:
                print(f"missed  {key}: {value}   <- {text}")
    return Score(right, wrong, missed)


def score_values(statements: list[Statement], *, show: bool = False) -> Score:
    """Count values that hold an expected one or are a part of it, and those that are not."""
    right = wrong = missed = found = 0
    for text, expected in statements:
        facts = read_text(text)
        bad = [fact for fact in facts if not any(_holds(fact.value, one) for _, one in expected)]
        left = [one for one in expected if not any(_holds(fact.value, one[1]) for fact in facts)]
        right, wrong = right + len(facts) - len(bad), wrong + len(bad)
        found, missed = found + len(expected) - len(left), missed + len(left)
        if show:
            for fact in bad:
                print(f"wrong   {fact.key}: {fact.value}   <- {text}")
    return Score(right, wrong, missed, found)


def _parse(line: str) -> Statement:
    text, _, wanted = line.rpartition(" => ")
    facts = [] if wanted.strip() == "-" else wanted.split(" | ")
    pairs = [tuple(part.strip() for part in fact.split(": ", 1)) for fact in facts]
    return Statement(text.replace("\\n", "\n"), [(key, value) for key, value in pairs])


def _agrees(fact: StatedFact, expected: tuple[str, str]) -> bool:
    key, value = expected
    shared = set(re.findall(r"\w+", key.lower())) & set(re.findall(r"\w+", fact.key.lower()))
    return bool(shared) and fact.value.lower() == value.lower()


def _holds(one: str, other: str) -> bool:
    """Whether one value is a part of the other, whatever their case and punctuation."""
    first, second = (" ".join(re.findall(r"\w+", value.casefold())) for value in (one, other))
    return first in second or second in first


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "judge.txt"
    statements = load_statements(path)
    if path.name == "varied.txt":
        _report("even half", statements[::2], score_values(statements[::2], show=True))
        _report("odd half", statements[1::2], score_values(statements[1::2]))
    elif path.name in ("judge.txt", "tune.txt", "languages.txt", "languages_unseen.txt"):
        _report(path.name, statements, score_statements(statements, show=True))
    else:
        _report(path.name, statements, score_values(statements, show=True))


def _report(name: str, statements: list[Statement], score: Score) -> None:
    print(
        f"{name}: {len(statements)} statements, precision {score.precision:.3f}, "
        f"recall {score.recall:.3f}"
    )
    print(f"{score.right} right, {score.wrong} wrong, {score.missed} missed")


if __name__ == "__main__":
    main()
