"""Unigram pieces, and the vocabulary of the bundled model as SentencePiece splits with it."""

import pytest

from ricordo.embed.multilingual import FOLDER
from ricordo.embed.unigram import END, START, UNKNOWN, Unigram

SMALL = [(f"<{n}>", 0.0) for n in range(6)]
WORDS = [("\u2581", -3.0), ("\u2581a", -2.0), ("b", -4.0), ("ab", -4.5), ("c", -5.0), ("bc", -5.5)]


@pytest.fixture(scope="module")
def bundled():
    lines = (FOLDER / "pieces.txt").read_bytes().decode("utf-8").rstrip("\n").split("\n")
    return Unigram.read(FOLDER / "pieces.txt"), [line.rpartition("\t")[0] for line in lines]


@pytest.fixture
def small():
    return Unigram([*SMALL, *WORDS])


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("abc", ["\u2581a", "bc"]),  # -7.5; as long as possible from the left would be worse
        ("a bc", ["\u2581a", "\u2581", "bc"]),
        ("c", ["\u2581", "c"]),
        ("", []),
        (" \t\n\u200b\ufeff ", []),
    ],
)
def test_the_likeliest_pieces_are_taken(small, text, pieces):
    names = [piece for piece, _ in [*SMALL, *WORDS]]

    assert [names[id] for id in small.pieces(text)] == pieces


def test_characters_nobody_knows_are_one_unknown(small):
    assert small.pieces("axyzc") == [7, UNKNOWN, 10]


def test_special_pieces_in_a_text_are_plain_text(small):
    assert set(small.pieces("<1> <2>")) <= {UNKNOWN, 6}


def test_a_long_text_is_cut_and_keeps_its_end(small):
    ids = small.encode("a b " * 10_000)

    assert len(ids) == 1024
    assert (ids[0], ids[-1]) == (START, END)


@pytest.mark.parametrize(  # as the reference splits them
    ("text", "pieces"),
    [
        ("Grüße aus Köln – 10 km!", "▁Gr üße ▁aus ▁Köln ▁ – ▁10 ▁km !"),
        ("東京に行きました。", "▁東京 に 行き ました 。"),
        ("ﬁne ½ ①", "▁fine ▁1⁄2 ▁1"),
        ("İstanbul ＡＢＣ", "▁İstanbul ▁ABC"),
        ("e\u0301t\u00e9 \u3000 全角", "▁été ▁全 角"),
        ("<s> hi", "▁< s > ▁hi"),
        ("😀👍🏽 ok", "▁ <unk> ▁ok"),
    ],
)
def test_the_bundled_vocabulary_splits_as_its_reference_does(bundled, text, pieces):
    tokenizer, names = bundled

    assert [names[id] for id in tokenizer.pieces(text)] == pieces.split(" ")
