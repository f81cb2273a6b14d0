"""A log over HTTP: read from its end, cut, replaced, edited, forked."""

from http_space import BASE

CHAT = f"{BASE}/sessions/trip"


def post(server, path, **given):
    reply = server.ask("POST", path, given)
    assert reply.status == 200, reply.body
    return reply.json


def says(page):
    return [event["content"] for event in page["items"]]


def test_a_log_is_read_from_its_end_and_changed(fresh):
    messages = [{"role": "user", "content": f"line {n}"} for n in range(1, 6)]
    post(fresh, f"{CHAT}/extend", messages=messages)

    assert says(fresh.get(f"{CHAT}/tail?n=2")) == ["line 4", "line 5"]
    assert says(fresh.get(f"{CHAT}/tail?n=2&before=4")) == ["line 2", "line 3"]
    assert says(post(fresh, f"{CHAT}/truncate", after=4, expect_last=5)) == ["line 5"]
    new = post(fresh, f"{CHAT}/replace", after=3, messages=[{"role": "user", "content": "four"}])
    assert [event["seq"] for event in new["items"]] == [6]
    assert post(fresh, f"{CHAT}/edit", seq=1, content="one", expect_revision=0)["revision"] == 1
    assert says(fresh.get(f"{CHAT}/events")) == ["one", "line 2", "line 3", "four"]


def test_what_cannot_be_cut_is_a_conflict(fresh):
    post(fresh, f"{CHAT}/events", role="user", content="one", index=False)

    reply = fresh.ask("POST", f"{CHAT}/truncate", {"after": 0, "expect_last": 7})

    assert reply.status == 409
    assert "ends at seq 1, not at 7" in reply.json["detail"]


def test_sessions_are_made_forked_and_deleted_by_prefix(fresh):
    assert post(fresh, f"{BASE}/sessions/a/create") == {"created": True}
    assert post(fresh, f"{BASE}/sessions/a/create", agent="scout") == {"created": False}
    post(fresh, f"{CHAT}/events", role="user", content="one")
    post(fresh, f"{CHAT}/events", role="user", content="two")

    made = post(fresh, f"{CHAT}/fork", name="trip/b", at=1)

    assert (made["session"], made["events"]) == ("trip/b", 1)
    assert fresh.get(CHAT)["events"] == 2
    assert [s["session"] for s in fresh.get(f"{BASE}/sessions?prefix=trip/")["items"]] == ["trip/b"]
    assert [s["session"] for s in fresh.get(f"{BASE}/sessions?agent=scout")["items"]] == ["a"]
    assert post(fresh, f"{CHAT}/delete", prefix=True)["removed"]["sessions"] == 2
    assert fresh.ask("GET", CHAT).status == 404
