import numpy as np
import pytest

from ricordo.core.recall.features import fits
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
