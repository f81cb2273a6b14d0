"""Dream report: what a sweep sees in a space, before anything is decided or written."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ricordo.core.learning import contradictions, fact_keys, near_duplicates, promotion
from ricordo.core.learning.contradictions import Clash, FactHistory, NoteText
from ricordo.core.learning.near_duplicates import DuplicatePair
from ricordo.core.learning.promotion import Gates, GateVerdict, Tally
from ricordo.core.text import tokens
from ricordo.flows.engine import Engine
from ricordo.store.database import Tx
from ricordo.store.tables.sweeps import FactRow, PromotionCandidate

CANDIDATES = 10_000
FACTS = 10_000
CHARACTERS = 4_000  # of an entry, to compare it with others
REWRITTEN = 100


class Signs(NamedTuple):
    """Everything a sweep reads, from one state of the store."""

    candidates: list[PromotionCandidate]
    asked: dict[int, int]  # distinct queries of an entry
    promoted: set[int]
    facts: list[FactRow]
    former: list[tuple[int, str]]
    rewritten: list[int]


class SweepReport(NamedTuple):
    candidates: int
    verdict: GateVerdict
    duplicates: list[DuplicatePair]
    clashes: list[Clash]


def gates(engine: Engine) -> Gates:
    """The gates as the settings have them."""
    given = engine.settings
    return Gates(
        given.dream_min_score,
        given.dream_min_recalls,
        given.dream_min_queries,
        given.dream_cap,
        given.dream_half_life_days,
    )


def report(engine: Engine, space: str, weights: Mapping[str, float]) -> SweepReport:
    """Look at a space and say what a sweep would do."""
    now, asked_of = engine.now(), gates(engine)
    signs = _signs(engine, space, now, asked_of.min_recalls)
    tallies = (_tally(each, signs.asked) for each in signs.candidates)
    verdict = promotion.judge(tallies, signs.promoted, now, asked_of, weights)
    stems = {each.entry: tuple(tokens.stems(_comparable_text(each))) for each in signs.candidates}
    alike = near_duplicates.pairs({entry: frozenset(words) for entry, words in stems.items()})
    notes = [
        NoteText(each.entry, each.since, stems[each.entry])
        for each in signs.candidates
        if each.kind == "note"
    ]
    clashes = contradictions.clashes(list(_facts(signs)), notes)
    clashes += [Clash(entry, entry, "line") for entry in signs.rewritten]
    return SweepReport(len(signs.candidates), verdict, alike, clashes)


def _signs(engine: Engine, space: str, now: int, least: int) -> Signs:
    with engine.store.read() as tx:
        number = tx.spaces.number(space)
        if number is None:
            return Signs([], {}, set(), [], [], [])
        return Signs(
            candidates=tx.sweeps.candidates(number, now, CANDIDATES, CHARACTERS),
            asked=promotion.distinct(tx.sweeps.list_queries(number, least)),
            promoted=tx.sweeps.list_promoted(number),
            facts=tx.sweeps.facts(number, now, FACTS),
            former=tx.sweeps.former(number, FACTS),
            rewritten=_find_rewritten(tx, number, space),
        )


def _find_rewritten(tx: Tx, number: int, space: str) -> list[int]:
    """Promoted entries that say something else than when they were promoted."""
    found = []
    for entry, at in tx.sweeps.list_rewritten(number, REWRITTEN):
        now, then = tx.entries.row(number, entry), tx.entries.then(number, space, entry, at)
        if now is not None and then is not None and now.content != then.content:
            found.append(entry)
    return found


def _tally(each: PromotionCandidate, asked: Mapping[int, int]) -> Tally:
    queries = asked.get(each.entry, 0)
    return Tally(each.entry, each.hits, each.relevance, each.last, queries, each.days)


def _comparable_text(each: PromotionCandidate) -> str:
    """What counts when entries are compared: a fact is its key and its value."""
    return f"{_key(each.category, each.name)} {each.text}" if each.kind == "fact" else each.text


def _facts(signs: Signs) -> Iterable[FactHistory]:
    before: dict[int, list[str]] = {}
    for entry, value in signs.former:
        before.setdefault(entry, []).append(value)
    for row in signs.facts:
        if row.name.startswith(f"{row.category}/"):
            key = _plain(_key(row.category, row.name))
            told = tuple(before.get(row.entry, ()))
            yield FactHistory(row.entry, row.category, key, row.value, row.since, told)


def _key(category: str, name: str) -> str:
    return name.removeprefix(f"{category}/").replace("_", " ")


def _plain(key: str) -> str:
    """One form for keys that mean the same: a preferred editor is the editor."""
    words = set(key.split())
    return "_".join(sorted(words - fact_keys.MODIFIERS or words))
