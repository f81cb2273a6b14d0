"""Named numbers: what names a thing by its number, and what only measures."""

import pytest

from ricordo.core.text.named_numbers import find_named_numbers


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("is invoice 102 paid?", [["102"]]),
        ("does #82 fail?", [["82"]]),
        ("ist Rechnung Nr. 12 bezahlt?", [["rechnung", "12"]]),
        ("does room 12 or room 21 have one?", [["room", "12"], ["room", "21"]]),
        ("what is in version 2.10?", [["version", "2", "10"]]),
        ("who has JIRA-88?", [["jira", "88"]]),
        ("is W1042 paid?", [["w1042"]]),
        ("¿está pagada la factura 101?", [["101"]]),
        ("请求书102付了吗", [["102"]]),
    ],
)
def test_a_number_names_a_thing_after_its_word_in_a_code_or_by_three_digits(text, named):
    assert find_named_numbers(text) == named


@pytest.mark.parametrize(
    "text",
    [
        *("is the rent 1450 euros?", "the deposit of 2,400", "costs $300", "up by 120%"),
        *("does it leave at 9:40?", "um 9 Uhr", "sale a las 9", "in 20 minutes", "at 10am"),
        *("what happened in 2023?", "summer 2023", "on May 13", "the week before 16 November"),
        *("on 2024-05-02", "am 5. Mai", "3/5/2026", "100日達成", "do I run 10 km?", "which one?"),
    ],
)
def test_amounts_times_and_dates_name_nothing(text):
    assert find_named_numbers(text) == []
