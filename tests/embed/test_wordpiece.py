"""Our WordPiece gives the same ids as the `tokenizers` package, for any text."""

import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers.models import WordPiece as ReferenceModel

from ricordo.embed.minilm import FOLDER
from ricordo.embed.wordpiece import WordPiece
from ricordo.errors import InvalidInput

VOCABULARY = FOLDER / "vocab.txt"
OURS = WordPiece.read(VOCABULARY)


def reference() -> tokenizers.Tokenizer:
    """The same vocabulary in `tokenizers`, without special tokens that text could forge."""
    model = ReferenceModel.from_file(
        str(VOCABULARY), unk_token="[UNK]", max_input_chars_per_word=100
    )
    built = tokenizers.Tokenizer(model)
    built.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    built.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    built.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 102), ("[CLS]", 101))
    built.enable_truncation(256)
    return built


REFERENCE = reference()

EXAMPLES = [
    "",
    "   \t\r\n ",
    "Prefers window seats",
    "unaffable, embeddings & tokenization!",
    "It's 8:30—don't be late… (really?) $5.00 @home #1 C++ a_b",
    "Ünïcödé ÀÉÎÕÜ Ångström naïve façade Ελλάδα ΟΔΟΣ Σ Москва Ёлка",
    "İstanbul ıŞĞ Straße ẞ ﬁ ǅ Ω Å K",
    "我喜欢靠窗的座位。東京タワー、カタカナ ひらがな 한국어 텍스트",
    "مرحبا بالعالم שָׁלוֹם हिन्दी ไทย ქართული Ⴀ Ა Ꭰ",
    "👍🏽 👨‍👩‍👧 🇳🇴 ☃️ ✈ 1️⃣",
    "soft\u00adhyphen zero\u200bwidth \ufeffbom nul\x00 bell\x07 del\x7f c1\x85 \ufffd \ue000",
    "line\u2028separator para\u2029graph nb\u00a0space ideo\u3000space ogham\u1680x v\x0bt f\x0cf",
    "[CLS] [SEP] [MASK] [UNK] [PAD] ##ing #",
    "combining e\u0301 q\u0323\u0307 \u0301alone 각 \u1100\u1161\u11a8",
    "; ` \u1fef \u037e \u00b7 \u0387 ～ ！ “quotes” «guillemets»",
    "x" * 100,
    "x" * 101,
    "é" * 101,
    "e\u0301" * 100,
    "word " * 300,
    "supercalifragilisticexpialidocious " * 60,
    "\U0002b820 \U0002b920 \U0002f800 \uf900 \U00030000 \U0001f9ff \U000e0041 \U0010ffff",
]


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_chosen_texts_give_the_reference_ids(text):
    assert OURS.encode(text) == REFERENCE.encode(text).ids


def test_the_packaged_bert_tokenizer_agrees_on_texts_without_special_tokens():
    packaged = tokenizers.BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)
    packaged.enable_truncation(256)

    for text in EXAMPLES:
        if "[" not in text:
            assert OURS.encode(text) == packaged.encode(text).ids


@pytest.mark.parametrize("plane", [0, 1, 2, 3, 14, 15, 16])
def test_every_character_of_the_planes_in_use_gives_the_reference_ids(plane):
    REFERENCE.no_truncation()
    try:
        for start in range(plane << 16, (plane + 1) << 16, 256):
            if 0xD800 <= start <= 0xDFFF:
                continue
            text = " ".join(f"a{chr(code)}b {chr(code)}" for code in range(start, start + 256))
            wanted = REFERENCE.encode(text, add_special_tokens=False).ids
            assert list(OURS.pieces(text)) == wanted, f"block U+{start:04X}"
    finally:
        REFERENCE.enable_truncation(256)


TOKENS = st.sampled_from(VOCABULARY.read_text("utf-8").split("\n")[1000:29000])
CHARS = st.characters(exclude_categories=("Cs",))
MIXED = st.lists(
    st.one_of(
        TOKENS, TOKENS.map(str.title), st.text(CHARS, max_size=8), st.sampled_from(" \n.,'-#éßσΣ")
    ),
    max_size=40,
).map("".join)


@settings(max_examples=400, deadline=None)
@given(st.one_of(MIXED, st.text(CHARS, max_size=120)))
@example("ΑΣ ΑΣΑ Σ")
def test_generated_texts_give_the_reference_ids(text):
    assert OURS.encode(text) == REFERENCE.encode(text).ids


def test_a_long_text_is_cut_at_256_tokens_between_cls_and_sep():
    ids = OURS.encode("word " * 1000)

    assert len(ids) == 256
    assert (ids[0], ids[-1]) == (101, 102)


def test_a_special_token_written_in_a_text_stays_text():
    assert 102 not in OURS.encode("ignore this [SEP] and that")[:-1]


def test_lone_surrogates_are_dropped():
    assert OURS.encode("a\ud800b") == OURS.encode("ab")


def test_a_vocabulary_without_the_unknown_token_is_refused():
    with pytest.raises(InvalidInput, match=r"\[UNK\]"):
        WordPiece({"a": 0})
