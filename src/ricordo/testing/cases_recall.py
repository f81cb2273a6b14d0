"""Recall: rules that hold for every profile, filters, sources and signals."""

from datetime import timedelta
from string import punctuation

from ricordo import Space
from ricordo.errors import InvalidInput, Unavailable
from ricordo.model import PROFILE_NAMES, Hit
from ricordo.testing.assertions import names, raises, scores, texts
from ricordo.testing.lab import Lab, VectorTable

ODD_QUERIES = (
    '"', 'it"s', 'say "hi"', "*", "(", ")", "AND", "OR", "NOT", "NEAR", "NEAR(a b)", "foo:bar",
    "-x", "terms:x", "terms : (x)", "x*", "^x", "{x}", "a'b", "'; DROP TABLE chunks; --", "\\", "%",
    "_", "\u200b", "é", "日", "🦊", "\x01", "x" * 20_000,
)  # fmt: skip


def case_no_character_of_a_query_is_syntax(lab: Lab) -> None:
    """QRY-1"""
    memory = lab.open()
    space = memory.space("ana")
    space.remember('she said "hi" to foo:bar, NEAR the end', name="quote")
    space.session("s").append("user", "x marks the spot")
    memory.flush()

    for query in (*ODD_QUERIES, *punctuation):
        for profile in PROFILE_NAMES:
            for mode in ("keyword", "hybrid"):
                assert isinstance(space.recall(query, profile=profile, mode=mode), list)
    for query in ('"hi"', "foo:bar", "NEAR", "(bar)", "-foo"):
        for profile in PROFILE_NAMES:
            found = space.recall(query, profile=profile, mode="keyword")
            assert names(found) == ["quote"], (query, profile)


def case_words_of_the_language_of_a_store_are_words(lab: Lab) -> None:
    """QRY-1"""
    space = lab.space()
    space.remember("salt and pepper", name="and")
    space.remember("salt", name="plain")

    for profile in ("minmax", "rrf", "two_tier"):
        assert names(space.recall("AND", profile=profile, mode="keyword")) == ["and"], profile


def case_a_blank_query_finds_nothing(lab: Lab) -> None:
    """QRY-2"""
    space = lab.space()
    space.remember("anything")

    for query in ("", "  ", "\t\n", "\u3000"):
        for profile in ("default", "rrf", "two_tier", "bm25"):
            assert space.recall(query, profile=profile) == []
        with raises(InvalidInput, "minmax"):
            space.recall(query, profile="minmax")


def case_a_limit_of_nought_finds_nothing(lab: Lab) -> None:
    """BM-5"""
    space = lab.space()
    space.remember("anything")

    for profile in ("default", "rrf", "two_tier", "bm25"):
        assert space.recall("anything", limit=0, profile=profile) == []
    with raises(InvalidInput, "minmax"):
        space.recall("anything", limit=0, profile="minmax")


def case_any_word_counts_and_words_together_count_more(lab: Lab) -> None:
    """QRY-3"""
    space = lab.space()
    space.remember("music, mostly jazz", name="apart")
    space.remember("jazz music at night", name="together")
    space.remember("a walk in the rain", name="neither")

    for profile in ("default", "minmax", "rrf"):
        found = space.recall("jazz music", profile=profile, mode="keyword")
        assert names(found) == ["together", "apart"], profile


def case_forms_of_a_word_find_each_other(lab: Lab) -> None:
    """QRY-4"""
    space = lab.space()
    space.remember("we met at the café in 東京都渋谷区", name="note")
    space.session("s").append("user", "CAFÉ CREME on Ｍonday")

    for query in ("cafe", "CAFÉ", "café", "Cafés"):
        for profile in PROFILE_NAMES[:4]:  # bm25 has its own case
            found = space.recall(query, profile=profile, mode="keyword")
            assert len(found) == 2, (query, profile)
    for query in ("東京", "渋谷区", "京都"):
        for profile in PROFILE_NAMES[:4]:  # bm25 has its own case
            assert names(space.recall(query, profile=profile, mode="keyword")) == ["note"], query
    for query in ("afe", "AFÉ", "afé"):
        assert len(space.recall(query, profile="two_tier")) == 2, query


def case_a_hit_says_where_it_comes_from(lab: Lab) -> None:
    """RRF-2"""
    space = lab.space()
    at = lab.clock.at(lab.clock() - timedelta(days=3))
    said = space.session("trip").append("user", "a  fjord\ntour", name="Ana", at=at)
    entry = space.remember("fjord photos", name="album", tags=["pics"])

    hits = {hit.source.kind: hit for hit in space.recall("fjord")}

    event = hits["event"]
    assert (event.source.session, event.source.seq_start, event.source.seq_end) == ("trip", 1, 1)
    assert event.source.name is None
    assert event.entry is None
    assert (event.text, event.role, event.author, event.at) == ("a  fjord\ntour", "user", "Ana", at)
    assert said.seq == 1
    assert event.origin == "user"
    note = hits["entry"]
    assert note.entry == entry
    assert note.source.name == "album"
    assert note.source.session is None
    assert note.text == "fjord photos"


def case_a_score_is_the_sum_of_its_parts(lab: Lab) -> None:
    """QRY-3"""
    memory = lab.open()
    space = memory.space("ana")
    space.session("s").extend([{"role": "user", "content": f"red fox {n}"} for n in range(6)])
    space.remember("the red fox", name="fox")
    memory.flush()

    for mode in ("keyword", "hybrid", "vector"):
        for hit in space.recall("red fox 3", mode=mode):
            assert hit.parts, mode
            assert abs(hit.score - sum(hit.parts.values())) < 1e-5, mode


def case_the_same_question_gets_the_same_answer(lab: Lab) -> None:
    """RRF-3"""
    memory = lab.open()
    space = memory.space("ana")
    lab.clock.stop()
    for n in range(12):
        space.remember("equal words", name=f"n{n}")
    memory.flush()

    for profile in PROFILE_NAMES:
        first = space.recall("equal words", limit=12, profile=profile)
        again = space.recall("equal words", limit=12, profile=profile)
        assert len(first) == 12, profile
        assert names(again) == names(first), profile
        assert scores(again) == scores(first) == sorted(scores(first), reverse=True), profile
        cut = space.recall("equal words", limit=5, profile=profile)
        assert names(cut) == names(first)[:5], profile


def case_filters_apply_before_the_cut(lab: Lab) -> None:
    """BM-4, ENT-11"""
    memory = lab.open()
    space = memory.space("ana")
    for n in range(10):
        space.remember("fox fox fox", name=f"a{n}", kind="archive", origin="import")
    space.session("loud").extend([{"role": "user", "content": f"fox fox {n}"} for n in range(10)])
    middle = lab.clock()
    for n in range(3):
        space.remember(f"a note on the fox, number {n}", name=f"n{n}", category="daily")
    end = lab.clock()
    space.remember("fox fox fox fox", name="late")
    memory.flush()

    for profile in ("default", "minmax", "rrf", "two_tier", "bm25"):

        def recall_by(chosen: str = profile, **by: object) -> set[str | None]:
            return set(names(space.recall("fox", limit=3, profile=chosen, **by)))  # type: ignore[arg-type]

        notes = {"n0", "n1", "n2"}
        assert recall_by(category="daily") == notes, profile
        assert recall_by(kinds=["note"], until=end) == notes, profile
        assert recall_by(origins=["agent"], since=middle, until=end, kinds="note") == notes, profile
        assert recall_by(kinds=["fact"]) == set(), profile


def case_messages_are_filtered_by_session_origin_and_time(lab: Lab) -> None:
    """ISO-8"""
    space = lab.space()
    first = space.session("one").append("user", "the fox sleeps")
    second = space.session("two").append("assistant", "the fox wakes")
    space.remember("the fox is a note")

    def recall_by(**by: object) -> list[str]:
        return texts(space.recall("fox", mode="keyword", **by))  # type: ignore[arg-type]

    assert recall_by(session="one") == ["the fox sleeps"]
    assert recall_by(kinds=["message"], origins=["agent"]) == ["the fox wakes"]
    assert recall_by(since=first.at, until=second.at) == ["the fox sleeps"]
    assert recall_by(since=second.at, kinds=["message"]) == ["the fox wakes"]
    assert recall_by(since=second.at.isoformat(), kinds=["message"]) == ["the fox wakes"]
    assert len(recall_by(since="2 days ago")) == 3
    assert recall_by(until="yesterday") == []
    assert recall_by(session="three") == []


def case_a_message_is_found_by_its_words_as_soon_as_it_is_there(lab: Lab) -> None:
    """CHK-4"""
    space = lab.space()
    chat = space.session("s")
    assert space.recall("fjord") == []

    for n in range(1, 4):
        chat.append("user", f"fjord {n}")
        assert len(space.recall("fjord", mode="keyword")) == n
        assert len(space.recall("fjord")) == n


def case_vector_recall_needs_an_embedder_and_hybrid_does_not(lab: Lab) -> None:
    """RRF-1"""
    space = lab.space(embedder="none")
    space.remember("the red fox", name="fox")

    for profile in ("default", "minmax", "rrf"):
        with raises(Unavailable, "keyword"):
            space.recall("fox", mode="vector", profile=profile)
        hybrid, keyword = (
            space.recall("fox", mode=mode, profile=profile) for mode in ("hybrid", "keyword")
        )
        assert names(hybrid) == ["fox"], profile
        assert hybrid == keyword, profile


def case_vector_recall_orders_by_cosine(lab: Lab) -> None:
    """ISO-4"""
    table = VectorTable({"q": (1, 0), "near": (0.9, 0.1), "far": (0.1, 0.9), "back": (-1, 0)})
    memory = lab.open(embedder=table)
    space = memory.space("ana")
    for text in ("far", "back", "near"):
        space.session("s").append("user", text)
    memory.flush()

    hits = space.recall("q", mode="vector")

    assert texts(hits) == ["near", "far", "back"]
    assert abs(hits[0].score - 0.993884) < 1e-3
    assert abs(hits[2].score + 1) < 1e-3


def case_a_long_entry_is_one_hit_and_starves_nobody(lab: Lab) -> None:
    """HYB-5"""
    memory = lab.open()
    space = memory.space("ana")
    for n in range(3):
        space.remember(f"harbour {n}", name=f"short{n}")
    space.remember(" ".join(f"harbour word{n}" for n in range(2_000)), name="long")
    memory.flush()

    for profile in PROFILE_NAMES:
        for mode in ("keyword", "vector", "hybrid"):
            found = names(space.recall("harbour", limit=4, mode=mode, profile=profile))
            assert sorted(map(str, found)) == ["long", "short0", "short1", "short2"], (
                profile,
                mode,
            )
    assert len(space.recall("arbou", limit=4, profile="two_tier")) == 4


def case_a_large_limit_is_kept(lab: Lab) -> None:
    """TWO-2"""
    memory = lab.open()
    space = memory.space("ana")
    space.session("s").extend([{"role": "user", "content": f"fox {n}"} for n in range(260)])
    memory.flush()

    for profile in PROFILE_NAMES[:4]:  # bm25 has its own case
        assert len(space.recall("fox", limit=250, profile=profile)) == 250, profile


def case_each_entry_recalled_leaves_a_signal(lab: Lab) -> None:
    """SIG-1"""
    space = lab.space()
    space.remember("dark mode", name="a")
    space.remember("dark chocolate", name="b")
    space.remember("light", name="c")
    space.session("s").append("user", "dark night")

    hits = space.recall("dark", mode="keyword", asker="user", kinds=["note"])
    space.recall("chocolate", mode="keyword")

    signals = space.dreams.signals()
    assert [(signal.query, signal.asker) for signal in signals] == [
        ("chocolate", "agent"), ("dark", "user"), ("dark", "user"),
    ]  # fmt: skip
    assert sum(signal.score for signal in signals if signal.query == "dark") == 1.5
    assert {signal.entry: signal.score for signal in signals if signal.query == "dark"} == {
        hits[0].source.name: 1.0,
        hits[1].source.name: 0.5,
    }
    assert [signal.query for signal in space.dreams.signals("b")] == ["chocolate", "dark"]
    assert len(space.dreams.signals(limit=1)) == 1
    assert space.stats().signals == 3


def case_signals_say_who_asked_and_none_leaves_no_trace(lab: Lab) -> None:
    """SIG-3"""
    space = lab.space()
    space.remember("dark mode", name="a")

    space.recall("dark", asker=None)
    assert space.dreams.signals() == []
    assert space.stats().signals == 0
    for asker in ("auto", "schedule", "user", "agent"):
        space.recall("dark", asker=asker)

    assert [signal.asker for signal in space.dreams.signals()] == [
        "agent",
        "user",
        "schedule",
        "auto",
    ]
    with raises(InvalidInput, "asker"):
        space.recall("dark", asker="nobody")  # type: ignore[arg-type]


def case_signals_follow_a_rename(lab: Lab) -> None:
    """SIG-1"""
    space = lab.space()
    space.remember("dark mode", name="a")
    space.recall("dark")

    space.rename("a", "b")

    assert [signal.entry for signal in space.dreams.signals()] == ["b"]


def case_an_archive_does_not_crowd_out_a_note(lab: Lab) -> None:
    """BM-4"""
    space = lab.space()
    for n in range(6):
        space.remember("the red fox jumps", name=f"archive{n}", kind="archive")
    space.remember("a red fox was seen", name="note")

    assert names(_keyword(space, "red fox"))[0] == "note"
    assert len(_keyword(space, "red fox")) == 7


def _keyword(space: Space, query: str) -> list[Hit]:
    return space.recall(query, limit=10, mode="keyword")
