"""Facts read out of varied statements: few are wrong, and enough are found."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3]))

from bench.statements import FOLDER, load_statements, score_statements, score_values


@pytest.mark.parametrize("name", ["tune.txt", "judge.txt"])
def test_what_becomes_a_fact_is_certain(name):
    """ARC-8"""
    statements = load_statements(FOLDER / name)

    score = score_statements(statements)

    assert sum(not statement.facts for statement in statements) > len(statements) / 2
    assert score.precision >= 0.97
    assert score.recall >= 0.9


@pytest.mark.parametrize("name", ["everyday_seen.txt", "everyday_unseen.txt"])
def test_facts_of_everyday_statements_are_right(name):
    """ARC-8"""
    statements = load_statements(FOLDER / name)

    score = score_values(statements)

    assert sum(not statement.facts for statement in statements) == len(statements) / 2 == 100
    assert score.precision >= 0.97
    assert score.recall >= 0.65


@pytest.mark.parametrize("name", ["languages.txt", "languages_unseen.txt"])
def test_facts_of_other_languages_are_right(name):
    """ARC-8"""
    statements = load_statements(FOLDER / name)

    score = score_statements(statements)

    assert 2 * sum(not statement.facts for statement in statements) >= len(statements)
    assert score.precision >= 0.98
    assert score.recall >= 0.9


@pytest.mark.parametrize(("half", "recall"), [(0, 0.7), (1, 0.36)])
def test_facts_are_found_in_many_wordings(half, recall):
    """ARC-8"""
    statements = load_statements(FOLDER / "varied.txt")[half::2]

    score = score_values(statements)

    assert len(statements) == 150
    assert score.precision >= 0.93
    assert score.recall >= recall
