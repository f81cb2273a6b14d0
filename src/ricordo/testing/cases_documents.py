"""Documents and consolidation: what a space ingests and derives by itself."""

from collections.abc import Sequence
from datetime import timedelta

from ricordo import Space
from ricordo.errors import InvalidInput, NotFound
from ricordo.handles.memory import Session
from ricordo.model import Event
from ricordo.testing.assertions import raises, texts
from ricordo.testing.lab import Lab, VectorTable


class Counting(VectorTable):
    """An embedder that counts the texts it was given."""

    def __init__(self) -> None:
        super().__init__({})
        self.count = 0

    def embed(self, given: Sequence[str]) -> list[Sequence[float]]:
        self.count += len(given)
        return [(1.0, 0.0)] * len(given)


def case_an_unchanged_document_costs_nothing(lab: Lab) -> None:
    """FIL-1"""
    model = Counting()
    memory = lab.open(embedder=model)
    space = memory.space("ana")
    first = space.ingest("Cod is dried on racks. " * 100, uri="doc://cod")
    memory.flush()
    chunks, asked = space.stats().chunks, model.count

    again = space.ingest("Cod is dried on racks. " * 100, uri="doc://cod")
    memory.flush()

    assert first.changed
    assert first.chunks == chunks > 1
    assert not again.changed
    assert (again.hash, again.chunks) == (first.hash, first.chunks)
    assert (space.stats().chunks, model.count) == (chunks, asked)


def case_other_blanks_are_no_change(lab: Lab) -> None:
    """FIL-1"""
    space = lab.space()
    space.ingest("Cod is\ndried", uri="doc://cod")

    assert not space.ingest("Cod  is dried ", uri="doc://cod").changed
    assert len(space.documents.list()) == 1


def case_an_unchanged_text_takes_another_origin_and_metadata(lab: Lab) -> None:
    """FIL-1"""
    space = lab.space()
    space.ingest("Cod is dried", uri="doc://cod", origin="user", metadata={"page": 1})
    space.recall("cod")

    moved = space.ingest("Cod is dried", uri="doc://cod", origin="web")
    blanks = space.ingest("Cod is  dried", uri="doc://cod", metadata={"page": 2})
    again = space.ingest("Cod is dried", uri="doc://cod")

    assert [each.changed for each in (moved, blanks, again)] == [True, True, False]
    assert (moved.origin, moved.metadata) == ("web", {"page": 1})
    assert (again.origin, again.metadata) == ("web", {"page": 2})
    assert [hit.origin for hit in space.recall("cod", origins=["user", "web"])] == ["web"]
    assert [(d.origin, d.metadata) for d in space.documents.list()] == [("web", {"page": 2})]


def case_a_changed_document_replaces_its_chunks(lab: Lab) -> None:
    """FIL-2"""
    memory = lab.open()
    space = memory.space("ana")
    space.ingest("Cod is dried on racks. " * 100, uri="doc://cod")
    changed = space.ingest("Salmon is smoked.", uri="doc://cod")
    memory.flush()

    assert changed.changed
    assert [d.uri for d in space.documents.list()] == ["doc://cod"]
    assert space.stats().chunks == 1
    hits = space.recall("salmon smoked")
    assert texts(hits) == ["Salmon is smoked."]
    assert (hits[0].source.kind, hits[0].source.uri) == ("file", "doc://cod")
    assert space.recall("racks", mode="keyword") == []


def case_a_document_can_be_forgotten_and_got(lab: Lab) -> None:
    """FIL-2"""
    memory = lab.open()
    space = memory.space("ana")
    other = memory.space("ben")
    space.ingest("Salmon is smoked.", uri="doc://salmon")
    memory.flush()

    found = space.get("doc://salmon")
    assert found is not None
    assert (found.kind, found.content) == ("file", "Salmon is smoked.")
    assert other.get("doc://salmon") is None
    assert other.documents.list() == []
    assert space.recall("salmon", kinds=["file"]) != []
    receipt = space.forget("doc://salmon")
    assert receipt.removed == {"chunks": 1, "words": 1, "embeddings": 1, "documents": 1}
    assert space.documents.list() == []
    assert space.recall("salmon") == []
    with raises(NotFound, "doc://salmon"):
        space.forget("doc://salmon")


def case_a_document_without_text_is_refused(lab: Lab) -> None:
    """FIL-2"""
    space = lab.space()

    with raises(InvalidInput, "no text"):
        space.ingest(" \n ", uri="doc://blank")
    assert space.documents.list() == []


def _important(chat: Session, *said: str, role: str = "user") -> None:
    for text in said:
        chat.append(role, text, importance=0.7)


def case_the_name_of_a_file_that_is_not_there_is_not_a_text(lab: Lab) -> None:
    """FIL-1"""
    space = lab.space()

    with raises(NotFound, "notes/missing.md"):
        space.ingest("notes/missing.md")
    space.ingest("notes/missing.md", uri="doc://words")

    assert [document.uri for document in space.documents.list()] == ["doc://words"]


def case_consolidation_takes_what_matters_once_it_is_old_enough(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    chat = space.session("trip")
    _important(chat, "My dog is called Rex", "The ferry leaves at nine")
    chat.append("user", "ok", importance=0.69)

    assert space.dreams.consolidate(min_importance=0.7).events == 0
    lab.clock.advance(hours=2)
    done = space.dreams.consolidate(min_importance=0.7)

    assert done.events == 2
    assert done.summaries == ("consolidated-trip-1",)
    note = space.get(done.summaries[0])
    assert note is not None
    assert "ferry leaves at nine" in note.content
    assert note.category == "conversation"
    assert len(chat.events()) == 3
    assert space.dreams.consolidate(min_importance=0.7).events == 0


def case_consolidation_finds_plain_facts(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    chat = space.session("trip")
    _important(chat, "My favourite harbour is Reine", "I live in Bergen")
    _important(chat, "My password is swordfish", role="assistant")
    lab.clock.advance(hours=2)

    done = space.dreams.consolidate()

    assert set(done.facts) == {"user/favourite_harbour", "user/home"}
    fact = space.fact("user", "home")
    assert fact is not None
    assert (fact.content, fact.origin) == ("Bergen", "dream")


def case_a_consolidated_fact_never_replaces_one_that_was_stated(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    space.fact("user", "home", "Oslo", origin="user")
    _important(space.session("trip"), "I live in Bergen")
    lab.clock.advance(hours=2)

    done = space.dreams.consolidate()

    assert (done.events, done.facts) == (1, ())
    fact = space.fact("user", "home")
    assert fact is not None
    assert (fact.content, fact.origin) == ("Oslo", "user")


class ScriptedModel:
    """A model with given answers."""

    def __init__(self, summary: str, facts: str) -> None:
        self.summary, self.answer = summary, facts

    def __call__(self, _previous: str, _events: Sequence[Event]) -> str:
        if self.summary == "fail":
            raise ConnectionError("the model is away")
        return self.summary

    def facts(self, _events: Sequence[Event]) -> str:
        return self.answer


def case_what_a_model_garbles_is_tried_again(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    _important(space.session("trip"), "The ferry leaves at nine")
    lab.clock.advance(hours=2)

    for model in (
        ScriptedModel("fail", "[]"),
        ScriptedModel("fine", "no idea"),
        ScriptedModel("fine", "[1]"),
    ):
        done = space.dreams.consolidate(model)
        assert (done.events, set(done.failed)) == (0, {"trip"})
    assert space.entries() == []
    said = '```json\n[{"category": "project", "key": "ferry", "value": "9:00"}]\n```'
    done = space.dreams.consolidate(ScriptedModel("They take the ferry", said))

    assert (done.events, done.failed) == (1, {})
    assert done.facts == ("project/ferry",)
    note = space.get(done.summaries[0])
    assert note is not None
    assert note.content == "They take the ferry"


def case_a_pass_has_a_limit_and_the_next_goes_on(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    for name in ("a", "b"):
        _important(space.session(name), *[f"fact {n}" for n in range(35)])
    lab.clock.advance(hours=2)

    assert space.dreams.consolidate(limit=40).events == 40
    assert space.dreams.consolidate().events == 30
    assert space.dreams.consolidate(older_than=timedelta(0)).events == 0


def case_every_event_past_its_age_is_consolidated_once(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    chat = space.session("trip")
    chat.extend([{"role": "user", "content": f"We saw harbour {n}"} for n in range(70)])
    lab.clock.advance(hours=2)
    chat.append("user", "We saw a lighthouse")

    done = space.dreams.consolidate()

    assert (done.events, len(done.summaries)) == (70, 3)
    spans = [_span(space, name) for name in done.summaries]
    assert spans == [(1, 30), (31, 60), (61, 70)]
    assert space.dreams.consolidate().events == 0
    assert len(chat.events()) == 71


def case_important_events_are_consolidated_first(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    for name, at in (("a", 9), ("b", 21)):
        for n in range(30):
            space.session(name).append("user", f"Stop {n}", importance=0.9 if n == at else 0.1)
    space.session("c").append("user", "Stop here", importance=0.2)
    lab.clock.advance(hours=2)

    done = [space.dreams.consolidate(min_importance=0, per_session=10, limit=10) for _ in range(7)]

    first = [str(space.get(result.summaries[0])) for result in done]
    assert "Stop 9" in first[0]
    assert "Stop 21" in first[1]
    assert "Stop here" in first[2]
    assert sum(result.events for result in done) == 61


def case_an_earlier_statement_does_not_replace_a_later_one(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    chat = space.session("trip")
    chat.append("user", "I live in Oslo", importance=0.1)
    lab.clock.advance(hours=1)
    chat.append("user", "I live in Bergen", importance=0.9)
    lab.clock.advance(hours=2)

    done = [space.dreams.consolidate(min_importance=0, per_session=1, limit=1) for _ in range(3)]
    chat.append("user", "I live in Gent", importance=0.9)
    lab.clock.advance(hours=2)
    after = space.fact("user", "home")
    space.dreams.consolidate()

    assert [result.facts for result in done] == [("user/home",), (), ()]
    assert after is not None
    assert after.content == "Bergen"
    latest = space.fact("user", "home")
    assert latest is not None
    assert latest.content == "Gent"


def _span(space: Space, name: str) -> tuple[object, object]:
    note = space.get(name)
    assert note is not None
    return note.metadata["first_seq"], note.metadata["last_seq"]


def case_consolidated_text_carries_the_least_trusted_origin(lab: Lab) -> None:
    """ARC-7"""
    space = lab.space()
    chat = space.session("trip")
    chat.append("tool", "My home is Mars", origin="web", importance=0.9)
    chat.append("user", "I live in Bergen", importance=0.9)
    lab.clock.advance(hours=2)

    note = space.get(space.dreams.consolidate().summaries[0])

    assert note is not None
    assert note.origin == "web"
