"""Spaces over HTTP: renamed and dropped by whoever reaches all of them, and by nobody else."""

from http_space import BASE


def post(server, path, token=None, **given):
    return server.ask("POST", path, given, **({} if token is None else {"token": token}))


def test_a_space_is_renamed_and_dropped(fresh):
    fresh.memory().space("ana").remember("Prefers window seats", name="seat")

    renamed = post(fresh, f"{BASE}/rename", new="anna")

    assert (renamed.status, renamed.json) == (200, {"space": "anna"})
    assert fresh.get("/v1/spaces/anna/entries/seat")["content"] == "Prefers window seats"
    assert post(fresh, "/v1/spaces/anna/drop", dry_run=True).json["dry_run"]
    dropped = post(fresh, "/v1/spaces/anna/drop")
    assert (dropped.status, dropped.json["removed"]["spaces"]) == (200, 1)
    assert "anna" not in fresh.get("/v1/spaces")["items"]
    assert post(fresh, "/v1/spaces/anna/drop").status == 404
    rows = list(fresh.tokens.audit.read())
    assert "anna" not in {row.space for row in rows}
    assert rows[0].action == "drop_space"


def test_a_token_of_one_space_neither_renames_nor_drops_it(fresh):
    fresh.memory().space("ana").remember("Prefers window seats", name="seat")
    bound = fresh.tokens.add("bound", "ana").token

    for path, given in ((f"{BASE}/rename", {"new": "anna"}), (f"{BASE}/drop", {})):
        assert post(fresh, path, bound, **given).status == 403
    assert post(fresh, "/v1/spaces/kate/drop", bound).status == 404
    assert fresh.get("/v1/spaces")["items"] == ["ana"]


def test_no_token_comes_to_another_space_by_a_name(fresh):
    for name in ("ana", "kate"):
        fresh.memory().space(name).remember("Prefers window seats", name="seat")
    fresh.tokens.add("for kate", "kate")

    for old, new in (("kate", "aside"), ("ana", "kate")):
        reply = post(fresh, f"/v1/spaces/{old}/rename", new=new)
        assert (reply.status, "for kate" in reply.json["detail"]) == (409, True)
    assert fresh.get("/v1/spaces")["items"] == ["ana", "kate"]
