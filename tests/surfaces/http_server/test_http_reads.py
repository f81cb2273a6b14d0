"""Reads over HTTP: what the library would say, by query or body, page by page."""

import urllib.parse
import urllib.request

import pytest
from http_space import BASE

import ricordo


def paged(server, path, limit, **rest):
    """Every item of a list, page by page, and how many pages there were."""
    items, pages, after = [], 0, None
    while True:
        query = {**rest, "limit": limit} | ({} if after is None else {"after": after})
        page = server.get(f"{path}?{urllib.parse.urlencode(query)}")
        items += page["items"]
        pages += 1
        after = page["next"]
        if after is None:
            return items, pages


def test_every_kind_that_recall_knows_can_be_asked_for(server):
    from ricordo.model import RECALL_KINDS

    document = server.get("/openapi.json")
    declared = document["paths"]["/v1/spaces/{space}/recall"]["get"]["parameters"]
    kind = next(each for each in declared if each["name"] == "kind")

    assert kind["schema"]["items"]["enum"] == list(RECALL_KINDS)
    assert server.get(f"{BASE}/recall?q=page&kind=file")["items"][0]["source"]["uri"] == "doc:1"


@pytest.mark.parametrize("dots", [".", ".."])
def test_names_that_clients_take_out_of_an_address_are_written_behind_a_zero(fresh, dots):
    place = f"/v1/spaces/%00{dots}"
    entries = [{"content": "dots", "name": dots}]
    written = fresh.ask("POST", f"{place}/entries", {"entries": entries})
    fresh.ask("POST", f"{place}/sessions/%00{dots}/events", {"role": "user", "content": "said"})

    assert written.json["items"][0]["space"] == dots
    assert fresh.get(f"{place}/entries/%00{dots}")["content"] == "dots"
    (event,) = fresh.get(f"{place}/sessions/%00{dots}/events")["items"]
    assert (event["space"], event["session"]) == (dots, dots)
    assert dots in fresh.get("/v1/spaces")["items"]
    for path in (f"{place}/entries/%00...", "/v1/spaces/%00ana/entries", f"{place}/entries/%00"):
        assert fresh.ask("GET", path).status == 400, path


def test_an_entry_is_found_by_name_alias_id_and_uid_also_with_a_slash_in_it(server):
    entry = server.memory().space("ana").get("seat")

    for name in ("travel%2Fseat", "seat", str(entry.id), entry.uid):
        found = server.get(f"{BASE}/entries/{name}")
        assert found["content"] == "Prefers window seats"
        assert set(found) == set(ricordo.Entry.__dataclass_fields__)
    assert server.ask("GET", f"{BASE}/entries/travel/seat").status == 404


def test_lists_are_the_same_in_one_page_and_in_many(server):
    for path, least in (
        (f"{BASE}/entries", 8),
        (f"{BASE}/sessions/trip/events", 5),
        (f"{BASE}/schedules", 2),
        (f"{BASE}/reminders", 2),
        (f"{BASE}/sessions", 1),
        (f"{BASE}/signals", 1),
        (f"{BASE}/documents", 1),
        (f"{BASE}/entries/note%200/history", 1),
        ("/v1/spaces", 1),
    ):
        whole, pages = paged(server, path, 1_000)
        pieces, many = paged(server, path, 1)
        assert (len(whole) >= least, pages) == (True, 1)
        assert (pieces, many) == (whole, len(whole))


def test_filters_of_a_list_are_those_of_python(server):
    notes, _ = paged(server, f"{BASE}/entries", 3, tag="some", prefix="note")
    daily = server.get(f"{BASE}/entries?category=daily")["items"]

    assert {each["name"] for each in notes} == {f"note {number}" for number in range(7)}
    assert [each["name"] for each in daily] == ["travel/seat"]


def test_a_query_embedded_elsewhere_is_taken_from_the_body(server):
    server.memory().flush()
    vector = server.memory()._engine.embedders[0].embed(["Prefers window seats"])[0].tolist()

    found = server.ask("POST", f"{BASE}/recall", {"q": "", "mode": "vector", "vector": vector}).json
    wrong = server.ask("POST", f"{BASE}/recall", {"q": "x", "vector": vector[:-1]})

    assert found["items"][0]["text"] == "Prefers window seats"
    assert wrong.status == 400
    assert "dimensions" in wrong.json["detail"]


def test_recall_leaves_out_and_narrows_by_name(server):
    def found(query):
        return [hit["text"] for hit in server.get(f"{BASE}/recall?q=window+seats&{query}")["items"]]

    whole = found("limit=10")
    assert "Prefers window seats" in whole
    assert "Prefers window seats" not in found("limit=10&exclude=seat&exclude=nobody")
    assert found("prefix=travel/s") == ["Prefers window seats"]
    assert found("limit=9&offset=1") == whole[1:]
    assert found("since=2+days+ago&limit=10") == found("since=2020-01-01T00:00:00+01:00&limit=10")
    assert found("until=yesterday") == found("until=20200101") == []
    refused = server.ask("GET", f"{BASE}/recall?q=x&since=lately")
    assert (refused.status, "2 days ago" in refused.json["detail"]) == (400, True)
    assert server.ask("GET", f"{BASE}/entries/1?exact=true").status == 404
    assert server.ask("GET", f"{BASE}/recall?q=x&offset=-1").status == 400
    assert all(
        entry["name"] != "travel/seat"
        for entry in server.get(f"{BASE}/entries?exclude=travel/seat")["items"]
    )


def test_recall_as_of_a_time_over_http(server):
    long_ago, now = "as_of=2020-01-01T00:00:00Z", "as_of=2100-01-01"
    found = server.get(f"{BASE}/recall?q=window+seats&{now}")["items"]

    assert found == server.get(f"{BASE}/recall?q=window+seats")["items"]
    assert server.get(f"{BASE}/recall?q=window+seats&{long_ago}")["items"] == []
    body = {"q": "window seats", "as_of": "2020-01-01T00:00:00Z"}
    assert server.ask("POST", f"{BASE}/recall", body).json["items"] == []
    explained = server.get(f"{BASE}/entries/travel%2Fseat/explanation?q=window&{long_ago}")
    assert explained["verdict"] == "filtered"
    refused = server.ask("GET", f"{BASE}/recall?q=x&as_of=lately")
    assert (refused.status, "2 days ago" in refused.json["detail"]) == (400, True)


def test_recall_answers_the_same_by_query_and_by_body(server):
    by_query = server.get(f"{BASE}/recall?q=window+seats&limit=1&mode=keyword&kind=note")
    wanted = {"q": "window seats", "limit": 1, "mode": "keyword", "kind": ["note"]}
    by_body = server.ask("POST", f"{BASE}/recall", wanted).json

    assert by_query == by_body
    assert by_query["items"][0]["entry"]["name"] == "travel/seat"
    assert by_query["items"][0]["parts"]


def test_what_a_session_holds_is_read(server):
    assert server.get(f"{BASE}/sessions/trip/scratchpad")["items"] == ["pack"]
    assert server.get(f"{BASE}/sessions/trip/summary")["upto"] >= 0
    context = server.get(f"{BASE}/sessions/trip/context?q=seats&budget=500")
    assert "window seats" in context["text"]
    assert context["tokens"] <= 500
    seqs = [event["seq"] for event in server.get(f"{BASE}/sessions/trip/events?after=1")["items"]]
    assert seqs == [seq for seq in range(8) if seq in seqs]
    assert min(seqs) == 2


def test_reading_a_context_gives_no_reminder_out(fresh):
    space = fresh.memory().space("ana")
    space.remind("Ask for the invoice", cue="project Atlas")

    for _ in range(2):
        context = fresh.get(f"{BASE}/sessions/s/context?q=project+Atlas")
        assert "Ask for the invoice" in context["text"]


def test_schedules_are_read_with_their_runs(server):
    found = server.get(f"{BASE}/schedules/report")

    assert found["goal"] == "Send the report"
    assert server.get(f"{BASE}/schedules/{found['id']}/runs") == {"items": [], "next": None}
    assert [s["name"] for s in server.get(f"{BASE}/schedules?name=report")["items"]] == ["report"]


def test_what_was_learnt_is_read(fresh):
    space = fresh.memory().space("ana")
    space.approvals.allow("git status")
    space.macros.learn([{"name": "read", "arguments": {}}, {"name": "write", "arguments": {}}] * 4)
    space.dream()

    assert fresh.get(f"{BASE}/approvals")["items"][0]["words"] == ["git", "status"]
    for kind in ("sweeps", "promotions", "macros", "files"):
        assert set(fresh.get(f"{BASE}/{kind}")) == {"items", "next"}
    assert len(fresh.get(f"{BASE}/sweeps")["items"]) == 1
    assert fresh.get(f"{BASE}/checkpoints")["items"] == []
    assert fresh.ask("GET", f"{BASE}/files/notes%2Fa.md").status in (400, 404)


def test_the_next_runs_of_a_schedule_are_told(server):
    assert len(server.get(f"{BASE}/schedules/report/upcoming?limit=3")["items"]) == 3


def test_an_entry_is_read_as_it_stood_then(server):
    before = server.get(f"{BASE}/entries/note%200/history")["items"][0]
    then = urllib.parse.quote(before["since"])

    assert server.get(f"{BASE}/entries/note%200?as_of={then}")["content"] == "Note number 0"
    assert server.get(f"{BASE}/entries/note%200")["content"] == "Note number zero"


def test_an_explanation_tells_why(server):
    path = f"{BASE}/entries/seat/explanation?q=window+seats"

    told = server.get(path)
    assert told["verdict"] in ("found", "ranked")
    assert told["reason"]


def test_counts_do_not_tell_where_the_memory_lies(server):
    counted = server.get(f"{BASE}/stats")

    assert counted["entries"] == 8
    assert counted["path"] == ""


def test_entries_and_hits_are_filtered_by_metadata(fresh):
    for name, year in (("alien", 1979), ("amelie", 2001)):
        body = {"role": "user", "content": f"saw {name}", "metadata": {"year": year}}
        fresh.ask("POST", f"{BASE}/sessions/films/events", body)
    where = urllib.parse.quote('{"year": {"$gt": 1980}}')

    (hit,) = fresh.get(f"{BASE}/recall?q=saw&where={where}")["items"]
    body = {"q": "saw", "where": {"year": 2001}}
    (same,) = fresh.ask("POST", f"{BASE}/recall", body).json["items"]

    assert hit["text"] == same["text"] == "saw amelie"
    assert fresh.get(f"{BASE}/entries?where={where}")["items"] == []
    assert fresh.ask("GET", f"{BASE}/recall?q=saw&where=nonsense").status == 400
    odd = urllib.parse.quote('{"year": {"$gtr": 1}}')
    assert b"did you mean" in fresh.ask("GET", f"{BASE}/entries?where={odd}").body


def test_what_an_explanation_does_not_take_is_refused_and_not_a_failure(server):
    server.call("ana", "remember", content="Prefers window seats", name="seat")
    path = "/v1/spaces/ana/entries/seat/explanation?q=window"

    assert server.ask("GET", f"{path}&kind=note&origin=agent&mode=keyword&limit=3").status == 200
    for name in ("profile=rrf", "abstain=0.5", "variety=true", "rerank=false"):
        assert server.ask("GET", f"{path}&{name}").status == 400
