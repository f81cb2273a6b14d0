"""New states: who lives or works elsewhere now, by two whole texts."""

import pytest

from ricordo.core.recall.new_state import is_new_state


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Berlin", "I moved to Munich"),
        ("I live in Berlin.", "We moved to Munich last month."),
        ("We're based in Austin", "We've just relocated to Dallas"),
        ("I currently live in Prague", "Finally moved to Brno!"),
        ("I live in Rome", "I moved from Rome to Milan"),
        ("I live in Canada", "I moved to Japan last month"),
        ("My parents live in Cork", "My parents have moved to Galway"),
        ("Anna lives in Graz with her dog", "Update: Anna moved to Linz"),
        ("I work at Siemens as an engineer", "I started a new job at Bosch"),
        ("I work at Google", "I left Google and joined Meta"),
    ],
)
def test_somebody_who_lived_or_worked_somewhere_moved_on(older, newer):
    assert is_new_state(older, newer)
    assert not is_new_state(newer, older)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I live in Berlin", "My sister moved to Munich"),
        ("Anna lives in Graz", "I moved to Linz"),
        ("I live in Berlin", "I moved to Berlin in May"),
        ("I live in Canada", "I moved to Toronto"),
        ("I live in Berlin", "I never moved to Munich"),
        ("I live in Berlin", "If I moved to Munich, I'd miss you"),
        ("I live in Berlin", "Should I have moved to Munich?"),
        ("I live in Berlin", "I moved to Munich as a child"),
        ("I live in Berlin", "I moved to Munich in 2010 and came back"),
        ("I live in Berlin", "I moved to Munich for a semester"),
        ("I live in Berlin", "I moved to a bigger desk"),
        ("I live in Berlin and my cat is called Tom", "I moved to Munich"),
        ("I live in fear", "I moved to Munich"),
        ("I work at Siemens", "I moved to Munich"),
        ("I work at Siemens", "I started at nine"),
        ("I work at Siemens", "I switched to Bosch drills"),
    ],
)
def test_in_doubt_nothing_is_new(older, newer):
    assert not is_new_state(older, newer)
