"""Language: what is English and what is not, told by little words and by the script."""

import pytest

from recollect.core.language import foreign_share, is_english
from recollect.core.tokens import words

ENGLISH = ["I walked the dog in the park", "She was at the office with Tom", "What a day!"]
FOREIGN = [
    "Ich war gestern mit dem Hund im Park",
    "Je suis allée au marché avec ma sœur",
    "Ayer estuve con mis hermanos porque hacía muy buen tiempo",
    "Вчера мы были на даче",
    "昨日は友達と映画を見ました",
    "Dün akşam çok güzel bir yemek yedik",
]
SILENT = ["Pizza Margherita", "42", "ok", "", "def main(): return x1"]


@pytest.mark.parametrize("text", ENGLISH + SILENT)
def test_english_and_what_tells_nothing_is_taken_for_english(text):
    assert is_english(words(text))


@pytest.mark.parametrize("text", FOREIGN)
def test_other_languages_are_told(text):
    assert not is_english(words(text))


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        (ENGLISH, 0.0),
        (FOREIGN, 1.0),
        (SILENT, 0.0),
        ([], 0.0),
        ([*ENGLISH, *FOREIGN[:1]], 0.25),
        ([*ENGLISH, *FOREIGN[:1], *SILENT], 0.25),  # what tells nothing does not count
        ([*FOREIGN[:2], *SILENT], 1.0),
    ],
)
def test_the_share_is_that_of_the_texts_that_tell(texts, share):
    assert foreign_share(texts) == share
