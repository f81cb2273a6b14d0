"""Unigram pieces, and the vocabulary of the bundled model as SentencePiece splits with it."""

import random

import pytest

from ricordo.embed import unigram
from ricordo.embed.multilingual import FOLDER
from ricordo.embed.unigram import END, START, UNKNOWN, Unigram

SMALL = [(f"<{n}>", 0.0) for n in range(6)]
WORDS = [("\u2581", -3.0), ("\u2581a", -2.0), ("b", -4.0), ("ab", -4.5), ("c", -5.0), ("bc", -5.5)]
WORDS += [("\u2581d", -3.0), ("e", -4.0), ("de", -4.0)]


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
        ("de", ["\u2581", "de"]),  # as likely as two others; the longest last piece is taken
        ("", []),
        (" \t\n\u200b\ufeff ", []),
    ],
)
def test_the_likeliest_pieces_are_taken(small, text, pieces):
    names = [piece for piece, _ in [*SMALL, *WORDS]]

    assert [names[id] for id in small.split([text])[0]] == pieces


def test_characters_nobody_knows_are_one_unknown(small):
    assert small.split(["axyzc", "xc yz"]) == [[7, UNKNOWN, 10], [6, UNKNOWN, 10, 6, UNKNOWN]]


def test_special_pieces_in_a_text_are_plain_text(small):
    assert set(small.split(["<1> <2>"])[0]) <= {UNKNOWN, 6}


def test_a_long_text_is_cut_and_keeps_its_end(small):
    [ids] = small.encode(["a b " * 10_000])

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

    assert [names[id] for id in tokenizer.split([text])[0]] == pieces.split(" ")


def cut_slowly(word, shares):
    """The likeliest pieces by their definition: the best way to each place, place by place."""
    said, unknown = f"\u2581{word}", min(shares.values()) - 10
    ways = [(0.0, [])]
    for end in range(1, len(said) + 1):
        choices = [(ways[end - 1][0] + unknown, [*ways[end - 1][1], None])]
        for start in range(end):
            piece = said[start:end]
            if piece in shares:
                choices.append((ways[start][0] + shares[piece], [*ways[start][1], piece]))
        ways.append(max(choices, key=lambda way: way[0]))
    return ways[-1][1]


def test_words_are_cut_as_the_definition_says(bundled):
    tokenizer, names = bundled
    lines = (FOLDER / "pieces.txt").read_bytes().decode("utf-8").rstrip("\n").split("\n")[6:]
    shares = {piece: float(share) for piece, _, share in (line.rpartition("\t") for line in lines)}
    rng = random.Random(7)
    pieces = [piece.strip("\u2581") for piece in rng.choices(list(shares), k=1500)]
    words = {"".join(pieces[n : n + 3]) for n in range(0, 1500, 3)} - {""}
    words = sorted("".join(word.split()) for word in words if word.isalnum())

    cut = [tokenizer.split([word])[0] for word in words]
    expected = [cut_slowly(word, shares) for word in words]

    assert len(words) > 300
    assert [[names[id] for id in ids] for ids in cut] == expected
    assert tokenizer.split([" ".join(words)]) == [[id for ids in cut for id in ids]]


def test_words_are_cut_alike_when_too_many_were_kept(small, monkeypatch):
    monkeypatch.setattr(unigram, "_KNOWN_WORDS", 2)
    texts = ["a bc b", "abc c bc", "a" * 40, "a bc b"]

    together, apart = small.split(texts), [small.split([text])[0] for text in texts]

    assert together == apart == [Unigram([*SMALL, *WORDS]).split([text])[0] for text in texts]
    assert len(small._known) <= 2
