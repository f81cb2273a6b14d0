import math

import numpy as np
import pytest
from conversations import entry, filled

from ricordo.core.recall.features import by_number, fits, words
from ricordo.core.recall.question import read
from ricordo.core.text.dates import DateHint

DAYS = np.array([2024_03_06, 2023_03_06, 2024_04_06, 2024_03_07])


@pytest.mark.parametrize(
    ("date", "fitting"),
    [
        (DateHint(2024, 3, 6), [True, False, False, False]),
        (DateHint(None, 3, 6), [True, True, False, False]),
        (DateHint(2024, None, 6), [True, False, True, False]),
        (DateHint(2024, 3, None), [True, False, False, True]),
        (DateHint(2023, None, None), [False, True, False, False]),
    ],
)
def test_a_day_fits_a_date_that_agrees_in_all_it_gives(date, fitting):
    assert fits(DAYS, date).tolist() == fitting


def test_a_word_weighs_more_the_fewer_texts_hold_it_and_nothing_in_most_of_them():
    texts = ["tea lemon", "tea", "tea", "tea bread", "bread", "tea"]
    view = filled([entry(n, n, text) for n, text in enumerate(texts, 1)])

    found = words(view, read("lemon bread tea", view).stems, thin=False)

    assert found.idf.tolist() == pytest.approx(
        [math.log(5.5 / 1.5), math.log(4.5 / 2.5), 0.0], abs=1e-5
    )


def test_a_unit_has_a_named_number_if_its_words_follow_each_other():
    texts = ["version 2.10 drops it", "version 2.1 fixes it", "2 of version 10", "drops it"]
    view = filled([entry(n, n, text) for n, text in enumerate(texts, 1)])

    values = by_number(view, read("what is in version 2.10?", view).named, np.arange(4))

    assert values["named_number"].tolist() == [1, 0, 0, 0]
    assert by_number(view, read("what is in it?", view).named, np.arange(4)) == {}
