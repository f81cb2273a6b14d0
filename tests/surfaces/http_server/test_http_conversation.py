"""Conversations over HTTP: a program that is not Python keeps a log, and gets its context."""

from http_space import BASE

CHAT = f"{BASE}/sessions/trip"
LONG_AGO = "2020-01-01T09:00:00Z"


def post(server, path, **given):
    reply = server.ask("POST", path, given)
    assert reply.status == 200, reply.body
    return reply.json


def test_a_conversation_is_kept_and_packed(fresh):
    said = post(fresh, f"{CHAT}/events", role="user", name="Ana", content="A window seat, always")
    more = post(
        fresh,
        f"{CHAT}/extend",
        messages=[
            {"role": "assistant", "content": "Noted"},
            {"role": "tool", "content": [{"type": "text", "text": "seat 14A"}]},
        ],
    )
    found = post(fresh, f"{CHAT}/context", query="seat", budget=500)

    assert (said["seq"], said["origin"], said["name"]) == (1, "user", "Ana")
    assert [event["seq"] for event in more["items"]] == [2, 3]
    assert "A window seat, always" in found["text"]
    log = fresh.get(f"{CHAT}/events")["items"]
    assert log == [said, *more["items"]]
    assert fresh.memory().space("ana").recall("window seat")[0].source.session == "trip"


def test_a_message_that_is_sent_again_with_its_key_is_kept_once(fresh):
    given = {"role": "user", "content": "Book me a flight", "key": "m-1"}

    first, again = (post(fresh, f"{CHAT}/events", **given) for _ in range(2))
    batch = post(fresh, f"{CHAT}/extend", messages=[given, given | {"key": "m-2"}])["items"]

    assert first == again == batch[0]
    assert len(fresh.get(f"{CHAT}/events")["items"]) == 2


def test_a_wrong_message_is_refused_and_nothing_is_kept(fresh):
    for path, given, named in (
        ("events", {"content": "x"}, "role"),
        ("events", {"role": "user", "content": 7}, "content"),
        ("events", {"role": "user", "content": "x", "importance": 3}, "importance"),
        ("events", {"role": "user", "content": "x", "key": " "}, "key"),
        ("events", {"role": "user", "contnt": "x"}, "contnt"),
        ("extend", {"messages": ["hello"]}, "messages"),
        ("extend", {"messages": [{"role": "user", "content": "a"}, {"content": "b"}]}, "role"),
    ):
        reply = fresh.ask("POST", f"{CHAT}/{path}", given)
        assert reply.status == 400, (given, reply.body)
        assert named in reply.json["detail"]
    assert fresh.get(f"{BASE}/sessions")["items"] == []


def test_a_context_that_is_posted_delivers_its_reminders_once(fresh):
    fresh.memory().space("ana").remind("Call the bank", at=LONG_AGO)

    seen = fresh.get(f"{CHAT}/context")
    first, second = (post(fresh, f"{CHAT}/context") for _ in range(2))

    assert "Call the bank" in seen["text"]  # a GET changes nothing
    assert "Call the bank" in first["text"]
    assert "Call the bank" not in second["text"]


def test_a_space_has_a_context_without_a_session(fresh):
    """CTX-11"""
    space = fresh.memory().space("ana")
    space.remember("Prefers window seats", name="seat")
    space.remember("Answer in short sentences", name="tone", pin=True)
    space.remind("Call the bank", at=LONG_AGO)

    seen = fresh.get(f"{BASE}/context?q=window+seats&budget=500")
    first, second = (post(fresh, f"{BASE}/context", query="window seats") for _ in range(2))

    for found in (seen, first, second):
        assert [hit["entry"]["name"] for hit in found["hits"]] == ["seat"]
        assert "Answer in short sentences" in found["messages"][0]["content"]
    assert "Call the bank" in seen["text"]  # a GET changes nothing
    assert "Call the bank" in first["text"]
    assert "Call the bank" not in second["text"]


def test_a_due_reminder_stands_beside_the_result_of_a_tool(fresh):
    fresh.memory().space("ana").remind("Call the bank", at=LONG_AGO)

    first, second = (fresh.ask("POST", f"{BASE}/tools/entries", {}).json for _ in range(2))

    assert first["result"] == second["result"] == {"entries": []}
    assert [each["text"] for each in first["due"]] == ["Call the bank"]
    assert "due" not in second


def test_summary_compaction_and_scratchpad_are_written(fresh):
    for number in range(6):
        post(fresh, f"{CHAT}/events", role="user", content=f"Point {number}: we chose Oslo")

    wrote = post(fresh, f"{CHAT}/summary", text="They chose Oslo", upto=3, expected_epoch=0)
    stale = post(fresh, f"{CHAT}/summary", text="Other", upto=4, expected_epoch=0)
    made = post(fresh, f"{CHAT}/summarize", force=True)
    lines = post(fresh, f"{CHAT}/scratchpad", lines=["book"])
    archive = post(fresh, f"{CHAT}/compact", keep=1)

    assert wrote == {"applied": True, "current_epoch": 1}
    assert stale == {"applied": False, "current_epoch": 1}
    assert made["written"]["applied"]
    assert lines == {"updated": True, "item_count": 1}
    assert fresh.get(f"{CHAT}/scratchpad")["items"] == ["book"]
    assert archive["kind"] == "archive"
    assert post(fresh, f"{CHAT}/scratchpad", lines=[])["item_count"] == 0


def test_documents_and_entries_are_written(fresh):
    fresh.call("ana", "remember", content="Prefers window seats", name="seat")

    page = post(fresh, f"{BASE}/documents", text="A page about Oslo", uri="doc:1", origin="web")
    renamed = post(fresh, f"{BASE}/entries/seat/rename", new="travel/seat", keep=True)
    counted = post(fresh, f"{BASE}/entries/seat/forget", dry_run=True)
    kept = fresh.get(f"{BASE}/entries/seat")
    gone = post(fresh, f"{BASE}/entries/travel%2Fseat/forget")

    assert (page["uri"], page["origin"]) == ("doc:1", "web")
    assert (renamed["name"], renamed["aliases"]) == ("travel/seat", ["seat"])
    assert counted["removed"]["entries"] == gone["removed"]["entries"] == 1
    assert kept["name"] == "travel/seat"
    assert fresh.ask("GET", f"{BASE}/entries/seat").status == 404


def test_no_path_of_the_server_can_be_ingested(fresh, tmp_path):
    (tmp_path / "secret.txt").write_text("a zebra of quagga")

    page = post(fresh, f"{BASE}/documents", text=str(tmp_path / "secret.txt"), uri="doc:1")

    assert fresh.memory().space("ana").recall("zebra quagga", mode="keyword") == []
    assert page["uri"] == "doc:1"


def test_documents_have_tags_and_hits_have_lines_over_http(fresh):
    """FIL-3, TXT-2"""
    text = "# Packing\n\nwool socks\n\n# Rain\n\nboots"
    page = post(fresh, f"{BASE}/documents", text=text, uri="doc:1", tags=["Winter"])

    found = fresh.get(f"{BASE}/recall?q=boots&mode=keyword&tag=winter")["items"]

    assert page["tags"] == ["winter"]
    assert [hit["text"] for hit in found] == ["# Rain\n\nboots"]
    source = found[0]["source"]
    assert (source["headings"], source["line_start"], source["offset"]) == (["Rain"], 5, 23)


def test_a_space_moves_over_http(fresh):
    post(fresh, f"{CHAT}/events", role="user", content="A window seat", key="m-1")
    fresh.call("ana", "remember", content="Prefers window seats", name="seat")

    text = fresh.get(f"{BASE}/export")["text"]
    took = post(fresh, "/v1/spaces/copy/import", text=text)
    again = post(fresh, "/v1/spaces/copy/import", text=text)
    repeated = post(
        fresh, "/v1/spaces/copy/sessions/trip/events", role="user", content="x", key="m-1"
    )
    broken = fresh.ask("POST", "/v1/spaces/copy/import", {"text": "not an export"})

    assert took["path"] == ""
    assert again["added"] == {}
    assert repeated["content"] == "A window seat"  # keys are known after a move
    assert fresh.get("/v1/spaces/copy/entries/seat")["content"] == "Prefers window seats"
    assert broken.status == 400
    assert "/tmp" not in broken.json["detail"]
    assert "ricordo-" not in broken.json["detail"]


def test_many_entries_and_messages_may_have_times(fresh):
    entries = [
        "Likes tea",
        {"content": "Code 4711", "name": "code", "ttl": 60, "metadata": {"year": 1999}},
        {"content": "Moved", "name": "home", "at": "2024-01-01", "expires_at": "2090-01-01T00:00Z"},
        {"content": "Stays", "name": "stays", "expires_at": "never"},
    ]
    written = fresh.ask("POST", f"{BASE}/entries", {"entries": entries}).json["items"]
    said = [{"role": "user", "content": "hello", "at": "2024-01-01T09:00:00+01:00"}]
    [event] = fresh.ask("POST", f"{BASE}/sessions/old/extend", {"messages": said}).json["items"]

    assert [each["content"] for each in written] == ["Likes tea", "Code 4711", "Moved", "Stays"]
    assert written[1]["expires_at"] is not None
    assert written[2]["created_at"] == "2024-01-01T00:00:00+00:00"
    assert written[2]["expires_at"] == "2090-01-01T00:00:00+00:00"
    assert written[3]["expires_at"] is None
    assert event["at"] == "2024-01-01T08:00:00+00:00"
    planned = {"where": {"year": {"$lt": 2000}}, "dry_run": True}
    assert len(fresh.ask("POST", f"{BASE}/forget", planned).json["entries"]) == 1
    for wrong in ({"content": "x", "at": "lately"}, {"content": "x", "expires_at": "soon"}, 7):
        refused = fresh.ask("POST", f"{BASE}/entries", {"entries": ["y", wrong]})
        assert (refused.status, refused.json["error"]) == (400, "InvalidInput")
    assert len(fresh.get(f"{BASE}/entries")["items"]) == 4
