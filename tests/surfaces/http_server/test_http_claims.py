"""Workers over HTTP: they claim what is due in a space, and say what became of it."""

from http_space import BASE

LONG_AGO = "2020-01-01T09:00:00Z"
HELD = ("worker", "fence", "planned_at", "claimed_at")


def post(server, path, expected=200, /, token=None, **given):
    reply = server.ask("POST", path, given, token)
    assert reply.status == expected, reply.body
    return reply.json


def due_schedule(server, space="ana"):
    """A schedule whose time has come."""
    made = server.memory().space(space).schedule("Send the report", "in 1 second", name="report")
    work = server.memory()._engine
    with work.store.read() as tx:
        number = tx.spaces.number(space)
        row = tx.schedules.get(number, made.id)
    past = row._replace(next_run_at=row.next_run_at - 60_000_000, due_at=row.due_at - 60_000_000)
    work.store.write(lambda tx: tx.schedules.update(number, past))
    return made


def test_a_worker_claims_renews_and_finishes(fresh):
    made = due_schedule(fresh)

    [claim] = post(fresh, f"{BASE}/schedules/claim", worker="w", lease=60)["items"]
    held = {name: claim[name] for name in HELD}
    nothing = post(fresh, f"{BASE}/schedules/claim", worker="other")["items"]
    renewed = post(fresh, f"{BASE}/schedules/{made.id}/renew", **held, lease=600)
    run = post(fresh, f"{BASE}/schedules/{made.id}/finish", **held, status="success", output="sent")
    late = post(fresh, f"{BASE}/schedules/{made.id}/finish", 409, **held, status="failed")

    assert claim["schedule"]["goal"] == "Send the report"
    assert nothing == []
    assert renewed["until"] > claim["until"]
    assert (run["status"], run["notice"]) == ("success", "sent")
    assert late["error"] == "ClaimLost"
    assert fresh.get(f"{BASE}/schedules/{made.id}/runs")["items"][0]["output"] == "sent"


def test_a_claim_that_is_released_can_be_claimed_again(fresh):
    made = due_schedule(fresh)
    [claim] = post(fresh, f"{BASE}/schedules/claim", worker="w")["items"]
    held = {name: claim[name] for name in HELD}

    freed = [post(fresh, f"{BASE}/schedules/{made.id}/release", **held) for _ in range(2)]

    assert freed == [{"released": True}, {"released": False}]
    assert len(post(fresh, f"{BASE}/schedules/claim", worker="w")["items"]) == 1


def test_a_worker_claims_only_in_its_own_space(fresh):
    due_schedule(fresh, "ana")
    due_schedule(fresh, "ben")
    token = fresh.tokens.add("ben", "ben").token

    found = post(fresh, "/v1/spaces/ben/schedules/claim", token=token, worker="w", limit=9)

    assert [claim["schedule"]["space"] for claim in found["items"]] == ["ben"]
    post(fresh, "/v1/spaces/ana/schedules/claim", 404, token=token, worker="w")


def test_a_reminder_is_claimed_and_delivered_once(fresh):
    fresh.memory().space("ana").remind("Call", at=LONG_AGO, recipient="ana", channel="mail")

    [held] = post(fresh, f"{BASE}/reminders/claim", worker="mailer")["items"]
    place = f"{BASE}/reminders/{held['id']}"
    mine = {"worker": "mailer", "fence": held["fence"]}
    foreign = post(fresh, f"{place}/deliver", worker="thief", fence=held["fence"])
    freed = post(fresh, f"{place}/release", **mine)
    [held] = post(fresh, f"{BASE}/reminders/claim", worker="mailer")["items"]
    mine = {"worker": "mailer", "fence": held["fence"]}
    delivered = [post(fresh, f"{place}/deliver", **mine) for _ in range(2)]

    assert foreign == {"delivered": False}
    assert freed == {"released": True}
    assert delivered == [{"delivered": True}, {"delivered": False}]
    post(fresh, f"{BASE}/reminders/nobody/deliver", 404, **mine)
    post(fresh, f"{BASE}/reminders/claim", 400, worker="w", lease=-1)
