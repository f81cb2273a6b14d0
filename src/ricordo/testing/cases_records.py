"""Records: values under a path and a key, one by one, many at once, and by their texts."""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from ricordo import Record, Space
from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.testing.assertions import raises, texts
from ricordo.testing.lab import Lab

VALUES = [{"a": [1, 2.5, None, True, "ß"]}, [], "text", 7, None, False, b"\0\xff", b""]


def _keys(found: list[Record]) -> list[str]:
    return [record.key for record in found]


def _fill(space: Space) -> None:
    films = space.records("films")
    films.put_many(
        [
            {"key": ("fr", "amelie"), "value": {"year": 2001}, "texts": "a waitress in Montmartre"},
            {"key": ("en", "alien"), "value": {"year": 1979}, "texts": ["a ship", "a creature"]},
            {"key": ("en", "brazil"), "value": {"year": 1985}},
            {"key": "reel", "value": b"raw", "metadata": {"year": 1900}},
        ]
    )


def case_the_value_of_a_record_comes_back_as_it_was_put(lab: Lab) -> None:
    """REC-1"""
    notes = lab.space().records("notes")

    for number, value in enumerate(VALUES):
        notes.put(f"k{number}", value)

    found = notes.get_many([f"k{number}" for number in range(len(VALUES))])
    assert [record.value for record in found if record] == VALUES
    assert [type(record.value) for record in found if record] == [type(v) for v in VALUES]


def case_keys_of_records_are_exact(lab: Lab) -> None:
    """REC-2"""
    top = lab.space().records()
    keys = ["1", "01", "", " ", "a/b", "A", "a", "ä", "a\x1f", "a\x1e2", "k" * 1024]

    for number, key in enumerate(keys):
        top.put(("p\x1f", key), number)
        top.put(key, -number)

    assert [top.get(("p\x1f", key)).value for key in keys] == [*range(len(keys))]  # type: ignore[union-attr]
    assert [top.get(key).value for key in keys] == [-n for n in range(len(keys))]  # type: ignore[union-attr]
    assert top.get("nobody") is None
    assert sorted(_keys(top.list("p\x1f"))) == sorted(keys)


def case_a_put_of_a_record_replaces_and_counts_revisions(lab: Lab) -> None:
    """REC-3"""
    space = lab.space()
    plain, kept = space.records("plain"), space.records("kept", history=True)

    for value in (1, 2, 3):
        plain.put("k", value)
        kept.put("k", {"said": value}, texts=f"number {value}")

    assert (plain.get("k").value, plain.get("k").revision) == (3, 3)  # type: ignore[union-attr]
    assert plain.history("k") == []
    assert [(each.revision, each.value) for each in kept.history("k")] == [
        (1, {"said": 1}),
        (2, {"said": 2}),
    ]
    assert kept.delete("k")
    kept.put("k", "again")
    assert kept.history("k") == []


def case_a_record_is_written_under_conditions(lab: Lab) -> None:
    """REC-4"""
    notes = lab.space().records("notes")
    first = notes.put("k", 1, if_revision=0)

    with raises(Conflict, "notes/k", "revision 1"):
        notes.put("k", 2, if_revision=0)
    with raises(Conflict, "absent"):
        notes.put("other", 2, if_revision=4)
    assert notes.put("k", 9, if_absent=True) == first
    assert notes.put("k", 2, if_revision=first.revision).revision == 2
    with raises(Conflict):
        notes.put_many([("new", 1), {"key": "k", "value": 3, "if_revision": 1}])
    assert notes.get("new") is None
    assert notes.get("k").value == 2  # type: ignore[union-attr]


def case_a_batch_of_records_is_done_in_order_and_as_a_whole(lab: Lab) -> None:
    """REC-5"""
    notes = lab.space().records("notes")
    notes.put("old", 1)

    answers = notes.batch(
        [
            {"get": "new"},
            {"put": "new", "value": {"n": 1}, "texts": "something new"},
            {"get": "new"},
            {"delete": "old"},
            {"delete": "old"},
            {"put": "old", "value": 2},
        ]
    )

    assert answers[0] is None
    assert answers[1] == answers[2] == notes.get("new")
    assert answers[3:5] == [True, False]
    assert notes.get("old").revision == 1  # type: ignore[union-attr]
    with raises(InvalidInput):
        notes.batch([{"put": "x", "value": 1}, {"take": "x"}])
    assert notes.get("x") is None
    assert lab.space("other").records().batch([{"delete": "k"}, {"get": "k"}]) == [False, None]


def case_records_are_listed_below_a_path(lab: Lab) -> None:
    """REC-6"""
    space = lab.space()
    _fill(space)
    films = space.records("films")

    assert _keys(films.list()) == ["reel", "alien", "brazil", "amelie"]
    assert _keys(films.list(order="-key", limit=2)) == ["amelie", "brazil"]
    assert _keys(films.list("en")) == ["alien", "brazil"]
    assert _keys(films.list(["en"], offset=1)) == ["brazil"]
    assert films.list("e") == []
    films.put(("en", "alien"), 1)
    lab.clock.advance(seconds=1)
    films.put(("en", "brazil"), 2)
    assert _keys(films.list("en", order="-updated")) == ["brazil", "alien"]
    assert _keys(films.list("en", order="updated", limit=1)) == ["alien"]
    assert [record.value for record in films.list("en", values=False)] == [None, None]
    assert _keys(films.list(order="-key", paths=1)) == ["amelie"]
    assert _keys(films.list(paths=2, limit=2, offset=1)) == ["alien", "brazil"]
    assert _keys(films.list(where={"year": {"$gt": 0}}, order="-key", paths=1)) == ["amelie"]
    with raises(InvalidInput):
        films.list(order="updated", paths=1)
    assert films.paths() == [(), ("en",), ("fr",)]
    assert space.records().paths(depth=1) == [("films",)]
    assert space.records().paths(("films", "en")) == [("films", "en")]


def case_conditions_find_records_by_metadata_or_value(lab: Lab) -> None:
    """REC-7"""
    space = lab.space()
    _fill(space)
    films = space.records("films")

    assert _keys(films.list(where={"year": {"$lt": 1980}})) == ["reel", "alien"]
    assert _keys(films.list("en", where={"year": {"$gt": 1980}})) == ["brazil"]
    assert _keys(films.list(where={"year": {"$ne": 1979}})) == ["reel", "brazil", "amelie"]
    assert _keys(films.list(where={"year": {"$gt": 0}}, order="-key", limit=1)) == ["amelie"]
    films.put(("en", "alien"), {"year": 2099})
    assert _keys(films.list(where={"year": 1979})) == []
    assert films.delete_many(where={"year": {"$gt": 2000}}) == 2
    assert _keys(films.list()) == ["reel", "brazil"]


def case_a_record_is_recalled_by_its_texts(lab: Lab) -> None:
    """REC-8"""
    space = lab.space()
    _fill(space)
    films = space.records("films")

    nearest = films.recall("a creature", limit=1)[0]
    assert (nearest.record.key, nearest.text) == ("alien", "a creature")
    assert nearest.score > 0.99
    assert [hit.record.key for hit in films.recall("waitress", mode="keyword")] == ["amelie"]
    assert films.recall("waitress", "en", mode="keyword") == []
    assert [h.record.key for h in films.recall("a ship", where={"year": 1979})] == ["alien"]
    assert {h.record.key for h in films.recall("a ship")} == {"alien", "amelie"}
    assert len(films.recall("a ship", offset=1)) == 1
    hit = space.recall("waitress", mode="keyword")[0]
    assert (hit.source.kind, hit.source.path, hit.source.name) == (
        "record",
        ("films", "fr"),
        "amelie",
    )


def case_texts_of_a_record_follow_what_is_put(lab: Lab) -> None:
    """REC-9"""
    space = lab.space()
    notes = space.records("notes")
    notes.put("k", 1, texts="about lighthouses")
    notes.put("k", 2, texts="about windmills")

    assert texts(space.recall("lighthouses", mode="keyword")) == []
    assert texts(space.recall("windmills", mode="keyword")) == ["about windmills"]
    notes.put("k", 3)
    assert texts(space.recall("windmills", mode="keyword")) == []
    notes.put("k", 4, texts="about tides")
    notes.delete("k")
    assert texts(space.recall("tides", mode="keyword")) == []
    assert notes.recall("tides") == []


def case_a_record_expires_unless_it_is_touched(lab: Lab) -> None:
    """REC-10"""
    memory = lab.open()
    space = memory.space("ana")
    notes = space.records("notes")
    first = notes.put("k", {"a": 1}, texts="a fleeting thought", ttl=60)
    notes.put("lasting", {"a": 1}, ttl=timedelta(days=1))
    lab.clock.advance(seconds=50)

    assert notes.touch("k")
    assert not notes.touch("nobody")
    lab.clock.advance(seconds=50)
    assert notes.get("k", touch=True).revision == first.revision  # type: ignore[union-attr]
    lab.clock.advance(seconds=61)

    assert notes.get("k") is None
    assert notes.get_many(["k"]) == [None]
    assert _keys(notes.list()) == ["lasting"]
    assert _keys(notes.list(where={"a": 1})) == ["lasting"]
    assert notes.recall("fleeting") == []
    assert texts(space.recall("fleeting", mode="keyword")) == []
    assert notes.put("k", 2).revision == 1  # what has expired is not in the way
    notes.put("soon", 1, texts="gone soon", ttl=1)
    lab.clock.advance(seconds=2)
    assert memory.maintain().removed["records"] == 1
    notes.put("soon", 1, ttl=1)
    assert notes.delete_expired() == 0
    lab.clock.advance(seconds=2)
    assert notes.delete_expired() == 1


def case_records_of_two_spaces_do_not_meet(lab: Lab) -> None:
    """REC-11"""
    memory = lab.open()
    ana, kate = memory.space("ana").records("notes"), memory.space("kate").records("notes")
    ana.put("k", {"mood": "calm"}, texts="a calm sea")

    assert kate.get("k") is None
    assert [kate.list(), kate.paths(), kate.recall("sea")] == [[], [], []]
    assert not kate.delete("k")
    assert kate.delete_many(prefix=()) == 0
    kate.put("k", {"mood": "calm"})
    assert len(kate.list(where={"mood": "calm"})) == 1
    assert kate.delete_many(["k"]) == 1
    assert ana.get("k").value == {"mood": "calm"}  # type: ignore[union-attr]
    with raises(InvalidInput, "ana", "kate"):
        kate.get(ana.list()[0])


def case_an_erased_record_does_not_come_back(lab: Lab) -> None:
    """REC-12"""
    memory = lab.open()
    space = memory.space("ana")
    notes = space.records("vault", history=True)
    notes.put("first", {"code": "abracadabra-one"}, texts="the first code word")
    notes.put("first", {"code": "abracadabra-two"}, texts="the second code word")
    notes.put("other", b"kept")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ana.jsonl"
        space.exchange.export(path)

        receipt = notes.erase("first")

        assert receipt.removed["records"] == receipt.removed["record_revisions"] == 1
        assert not receipt.remnants
        found = space.exchange.import_file(path)
        assert (found.erased, found.known) == (1, {"record": 1})
    assert notes.get("first") is None
    with raises(NotFound, "vault/first"):
        notes.erase("first")
    assert notes.erase(prefix=()).removed["records"] == 1
    notes.put("last", 1)
    assert memory.erase("ana").removed["records"] == 1


def case_records_travel_with_an_export(lab: Lab) -> None:
    """REC-13"""
    memory = lab.open()
    _fill(memory.space("ana"))
    kept = memory.space("ana").records("kept", history=True)
    for value in (1, b"\0", {"a": None}):
        kept.put("k", value, ttl=600)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ana.jsonl"
        memory.space("ana").exchange.export(path)
        found = memory.space("kate").exchange.import_file(path, origin=None)

    assert found.added == {"record": 5}
    ours, theirs = memory.space("ana").records(), memory.space("kate").records()
    assert [each.to_dict() | {"space": ""} for each in ours.list()] == [
        each.to_dict() | {"space": ""} for each in theirs.list()
    ]
    assert [e.value for e in theirs.history(("kept", "k"))] == [1, b"\0"]
    assert [h.record.key for h in theirs.recall("a creature", limit=1)] == ["alien"]
    assert len(theirs.list(where={"year": 1979})) == 1


def case_what_a_record_cannot_be_is_refused(lab: Lab) -> None:
    """REC-14"""
    notes = lab.space().records("notes")
    bad: list[object] = [float("nan"), {"a": "\0"}, {1: 2}, object(), (1, 2)]

    for value in bad:
        with raises(InvalidInput):
            notes.put("k", value)
    for key in ("k" * 1025, "\0", (), 7, None, ("a" * 1000, "b" * 1000, "c" * 1000)):
        with raises(InvalidInput):
            notes.put(key, 1)  # type: ignore[arg-type]
    for ttl in (0, -1, float("inf"), "1"):
        with raises(InvalidInput, "ttl"):
            notes.put("k", 1, ttl=ttl)  # type: ignore[arg-type]
    with raises(InvalidInput, "order"):
        notes.list(order="size")  # type: ignore[arg-type]
    with raises(InvalidInput, "query or a vector"):
        notes.recall()
    with raises(InvalidInput):
        notes.delete_many()
    assert notes.list() == []
