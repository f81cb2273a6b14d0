"""Whether the text that answers stands in the context of the documented loop: append, context.

    make bench-context DATA=folder
    python bench/context.py FILE... [--embedder bundled]

The sets are those of `everyday.py`. Each set fills a space. All its questions are then asked in one
new session, each appended and followed by `context()`, as the documentation shows. What recall had
among its first eight hits before the session began is what a context can be expected to show.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import ricordo
from everyday import Everyday, Question, Times, fill, find_ids, read

LIMIT = 8  # hits of a context


@dataclass(frozen=True, slots=True)
class Turn:
    """One question: what recall found before, and what contexts held before and after `append`."""

    question: Question
    recalled: list[str]
    early: list[str]
    shown: list[str]

    def has(self, ids: list[str]) -> bool:
        return not self.question.gold.isdisjoint(ids)


def converse(items: Everyday, embedder: str) -> Iterator[Turn]:
    """Ask every question of a set in one new session."""
    times = Times()
    with ricordo.open(":memory:", embedder=embedder, clock=times, keep=False) as memory:
        space = memory.space("everyday")
        ids = fill(space, items, times)
        memory.flush()

        def list_ids(hits: object) -> list[str]:
            known = [hit for hit in hits if hit.source.session != "today"]
            return list(dict.fromkeys(id for hit in known for id in find_ids(hit, ids)))

        clean = [list_ids(space.recall(q.text, limit=LIMIT)) for q in items.questions]
        chat = space.session("today")
        for question, recalled in zip(items.questions, clean, strict=True):
            early = list_ids(chat.context(question.text).hits)
            chat.append("user", question.text)
            times.step()
            yield Turn(question, recalled, early, list_ids(chat.context().hits))
            chat.append("assistant", "Let me see.")
            times.step()


def show(name: str, turns: list[Turn]) -> None:
    asked = [turn for turn in turns if turn.question.gold]
    known = [turn for turn in asked if turn.has(turn.recalled)]
    kept = sum(turn.has(turn.shown) for turn in known)
    any_shown = sum(turn.has(turn.shown) for turn in asked)
    talk = [turn for turn in turns if turn.question.type == "smalltalk"]
    print(
        f"{name:16} recall {len(known):3} of {len(asked):3}   context {any_shown:3}"
        f"   share {kept / max(1, len(known)):.3f}"
        f"   empty {sum(not turn.shown for turn in asked):3}"
        f"   same before append {sum(turn.early == turn.shown for turn in asked):3}"
        f"   small talk answered {sum(bool(turn.shown) for turn in talk)} of {len(talk)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--embedder", default="bundled")
    given = parser.parse_args()
    everything: list[Turn] = []
    for items in read(given.files):
        turns = list(converse(items, given.embedder))
        show(items.name, turns)
        everything += turns
    show("all", everything)


if __name__ == "__main__":
    main()
