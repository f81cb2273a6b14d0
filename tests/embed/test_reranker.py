"""The re-ranker, for real: what it prefers, which passage it reads, refusal of altered files."""

import shutil
import threading

import pytest

from ricordo.embed import minilm
from ricordo.embed.reranker import Reranker, cut_around
from ricordo.errors import InvalidInput, Unavailable

QUESTION = "When does Ana's train leave?"
ANSWER = "Ana: my train goes at 6:40 from platform nine"
TEXTS = [
    "Bo: I liked the film more than the book",
    ANSWER,
    "Ana: the train was full of football fans",
]


@pytest.fixture(scope="module")
def reader():
    """The bundled re-ranker, loaded once."""
    return Reranker()


def test_the_text_that_answers_has_the_highest_logit(reader):
    film, answer, fans = reader.read(QUESTION, TEXTS)

    assert answer > fans > film


def test_a_text_has_the_same_logit_alone_and_in_company(reader):
    together = reader.read(QUESTION, TEXTS)

    assert together == [reader.read(QUESTION, [text])[0] for text in TEXTS]


def test_the_answer_is_found_deep_in_a_long_text(reader):
    filler = "The committee talked about the budget of the library and the new roof. "

    deep, none = reader.read(QUESTION, [filler * 20 + ANSWER + ". " + filler * 5, filler * 25])

    assert deep > none


@pytest.mark.parametrize("text", ["", " ", "\u200b", "我", "word " * 10_000, "a" * 100_000])
def test_any_question_and_any_text_have_a_logit(reader, text):
    (as_text,) = reader.read(QUESTION, [text])
    (as_question,) = reader.read(text, [ANSWER])

    assert -50 < as_text < 50
    assert -50 < as_question < 50


def test_a_text_that_tells_a_change_supersedes_the_older_one_and_another_subject_does_not(reader):
    later = "Ana: they moved my train, it goes at 7:05 now"
    older, asked = ANSWER, QUESTION

    change, other, former = reader.compare(asked, [(later, older), (TEXTS[2], older)]) + (
        reader.compare("When did Ana's train leave before they moved it?", [(later, older)])
    )

    assert change > 1.5 > 0 > other
    assert change > former


def test_no_texts_have_no_logits(reader):
    assert reader.read(QUESTION, []) == []
    assert reader.compare(QUESTION, []) == []


def test_a_bare_text_instead_of_a_list_is_refused(reader):
    with pytest.raises(InvalidInput, match="list of texts"):
        reader.read(QUESTION, ANSWER)


def test_threads_share_one_re_ranker_and_agree():
    fresh, answers = Reranker(), []
    threads = [
        threading.Thread(target=lambda: answers.append(fresh.read(QUESTION, TEXTS)))
        for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert len(answers) == 4
    assert all(each == answers[0] for each in answers)


def test_an_altered_graph_is_refused_when_loaded(tmp_path):
    folder = shutil.copytree(minilm.FOLDER, tmp_path / "minilm")
    content = bytearray((folder / "reranker.onnx").read_bytes())
    content[-2] ^= 1
    (folder / "reranker.onnx").write_bytes(content)
    altered = Reranker(folder)

    with pytest.raises(Unavailable, match=r"reranker.onnx.*altered.*pip install"):
        altered.read(QUESTION, TEXTS)


def test_the_encoder_works_without_the_re_ranker(tmp_path):
    folder = shutil.copytree(minilm.FOLDER, tmp_path / "minilm")
    (folder / "reranker.onnx").unlink()

    assert minilm.MiniLM(folder).embed(["text"]).any()
    with pytest.raises(Unavailable, match=r"reranker\.onnx"):
        Reranker(folder)


def test_a_short_text_is_read_whole():
    assert cut_around([5], [1, 2, 3], 3) == [1, 2, 3]


def test_a_long_text_is_cut_around_what_the_question_mentions():
    text = [0] * 50 + [7, 8] + [0] * 50

    passage = cut_around([7, 8, 9], text, 20)

    assert len(passage) == 20
    assert {7, 8} <= set(passage)


def test_a_rare_piece_counts_more_than_one_that_is_everywhere():
    text = [1] * 60 + [2] + [1] * 5 + [0] * 60

    assert 2 in cut_around([1, 2], text, 10)


def test_a_text_that_shares_nothing_is_read_from_its_beginning():
    assert cut_around([99], list(range(50)), 4) == [0, 1, 2, 3]


def test_a_match_at_the_end_still_fills_the_passage():
    assert cut_around([49], list(range(50)), 4) == [46, 47, 48, 49]


def test_missing_files_are_refused_at_once(tmp_path):
    with pytest.raises(Unavailable, match=r"incomplete.*pip install"):
        Reranker(tmp_path)
