"""The same conversations in other shapes: the default must hold wherever it is used.

    python bench/shapes.py [FILE] [--shapes long,roles,...]

Each shape is made from the conversations of FILE; the gold moves with the text. The default has to
reach the better of plain BM25 and vectors alone on every one of them. Talks of our own follow, in
thirteen other languages, in two at once, with an assistant and among five people. They are asked
in two ways: as people ask, and in other words than those of the answer, which is hard on purpose.
"""

import argparse
import random
import re
from dataclasses import replace
from pathlib import Path

from retrieval import read
from ricordo.surfaces.cli.evaluation import Conversation, EvaluationReport, TestMessage, evaluate

WAYS = [("default", "hybrid"), ("two_tier", "keyword"), ("default", "vector")]


def plain(talk: Conversation) -> Conversation:
    """As it is."""
    return talk


def long(talk: Conversation) -> Conversation:
    """Every other speaker's consecutive turns joined into messages of 1,000 characters or more."""
    # Turns of the second speaker are held back and said together, as an assistant would.
    voice = list(dict.fromkeys(said.speaker for said in talk.messages))[-1]
    moved: dict[str, str] = {}
    messages: list[TestMessage] = []
    held: list[TestMessage] = []

    def say() -> None:
        if held:
            text = "\n".join(said.text for said in held)
            moved.update({said.id: held[0].id for said in held})
            messages.append(replace(held[0], text=text, role="assistant", speaker=None))
            held.clear()

    for said in talk.messages:
        if held and held[0].session != said.session:
            say()
        if said.speaker == voice:
            held.append(said)
            if sum(len(one.text) for one in held) > 1000:
                say()
        else:
            messages.append(replace(said, role="user", speaker=None))
    say()
    questions = [
        replace(asked, gold=frozenset(moved.get(id, id) for id in asked.gold))
        for asked in talk.questions
    ]
    return Conversation(talk.name, messages, questions)


def roles(talk: Conversation) -> Conversation:
    """User and assistant instead of two names."""
    voices = list(dict.fromkeys(said.speaker for said in talk.messages))
    kinds = dict(zip(voices, ("user", "assistant"), strict=False))
    messages = [replace(s, speaker=None, role=kinds.get(s.speaker, "user")) for s in talk.messages]
    return Conversation(talk.name, messages, talk.questions)


def nameless(talk: Conversation) -> Conversation:
    """Nobody has a name, everybody is a user."""
    messages = [replace(said, speaker=None) for said in talk.messages]
    return Conversation(talk.name, messages, talk.questions)


def one_session(talk: Conversation) -> Conversation:
    """One huge session."""
    messages = [replace(said, session="all") for said in talk.messages]
    return Conversation(talk.name, messages, talk.questions)


def tiny_sessions(talk: Conversation) -> Conversation:
    """Four messages a session."""
    messages = [replace(s, session=f"{n // 4}") for n, s in enumerate(talk.messages)]
    return Conversation(talk.name, messages, talk.questions)


def notes(talk: Conversation) -> Conversation:
    """Each message a session of its own: no neighbours to learn from."""
    messages = [replace(s, session=s.id, speaker=None) for s in talk.messages]
    return Conversation(talk.name, messages, talk.questions)


def shouted(talk: Conversation) -> Conversation:
    """Every third message in capitals, every third in small letters."""
    change = (str.upper, str.lower, str)
    messages = [replace(s, text=change[n % 3](s.text)) for n, s in enumerate(talk.messages)]
    return Conversation(talk.name, messages, talk.questions)


def typos(talk: Conversation) -> Conversation:
    """One word in eight of each message has two letters swapped."""
    draw = random.Random(1)

    def slip(match: re.Match[str]) -> str:
        word = match.group()
        if len(word) < 5 or draw.random() > 0.125:
            return word
        at = draw.randrange(1, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    messages = [replace(s, text=re.sub(r"\w+", slip, s.text)) for s in talk.messages]
    return Conversation(talk.name, messages, talk.questions)


SHAPES = {
    shape.__name__: shape
    for shape in (plain, long, roles, nameless, one_session, tiny_sessions, notes, shouted, typos)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    given = parser.parse_args()
    talks = read(given.file) if given.file else []
    print(
        f"{'shape':<21}{'R@10 default':>14}{'words':>9}{'vectors':>9}{'MRR default':>13}  verdict"
    )
    for name in given.shapes.split(",") if talks else []:
        show(name, evaluate([SHAPES[name](talk) for talk in talks], WAYS))
    for file in sorted((Path(__file__).parent / "talks").glob("*.jsonl")):
        reports = evaluate(read(file), WAYS)
        for category in sorted(set(reports[0].categories)):
            show(f"{file.stem}, {category}", reports, category)


def show(name: str, reports: list[EvaluationReport], category: str | None = None) -> None:
    ours, words, vectors = (report.mean("R@10", category) for report in reports)
    verdict = "holds" if ours >= max(words, vectors) else "FALLS BELOW"
    print(
        f"{name:<21}{ours:>14.3f}{words:>9.3f}{vectors:>9.3f}"
        f"{reports[0].mean('MRR', category):>13.3f}  {verdict}",
        flush=True,
    )


if __name__ == "__main__":
    main()
