"""The audit log: which token wrote or forgot what, bounded and erasable."""

import json
import os
import stat

from click.testing import CliRunner
from mcp_words import call_tool

from ricordo.surfaces.cli.main import cli
from ricordo.surfaces.server import audit
from ricordo.surfaces.server.audit import AuditLog


def rows(server, **wanted):
    return [(r.token, r.space, r.action, r.target) for r in server.tokens.audit.read(**wanted)]


def test_writes_are_noted_with_the_token_and_reads_are_not(server):
    phone = server.tokens.add("phone", "ana").token
    server.ask("POST", "/v1/spaces/ana/tools/remember", {"content": "x", "name": "seat"}, phone)
    server.call("ben", "remember", content="secret text", name="home")
    server.ask("POST", "/v1/spaces/ana/sessions/trip/events",
               {"role": "user", "content": "secret text"})  # fmt: skip
    server.get("/v1/spaces/ana/entries/seat")
    server.call("ana", "recall", query="x")
    assert server.ask("POST", "/v1/spaces/ana/tools/forget", {"name": "none"}, phone).status == 404
    server.ask("POST", "/v1/spaces/ana/entries/seat/forget", {}, phone)

    noted = rows(server)
    assert [each[:3] for each in noted] == [
        ("phone", "ana", "forget"),
        ("default", "ana", "append"),
        ("default", "ben", "remember"),
        ("phone", "ana", "remember"),
    ]
    assert noted[0][3].startswith("seat")
    assert noted[1][3].startswith("trip, ")
    assert rows(server, space="ben", token="default") == noted[2:3]
    text = server.tokens.audit.path.read_text(encoding="utf-8")
    assert "secret text" not in text
    if os.name == "posix":
        assert stat.S_IMODE(server.tokens.audit.path.stat().st_mode) == 0o600


def test_writes_over_mcp_are_noted(server):
    call_tool(server, "remember", {"content": "x", "name": "seat"})
    call_tool(server, "recall", {"query": "x"})

    assert rows(server) == [("default", "ana", "remember", "seat, 1")]


def test_a_row_has_the_id_of_its_request(server):
    made = server.ask("POST", "/v1/spaces/ana/tools/remember", {"content": "x", "name": "seat"})
    call_tool(server, "remember", {"content": "x", "name": "home"})

    over_mcp, over_http = server.tokens.audit.read()
    assert over_http.request == made.headers["x-request-id"]
    assert len(over_mcp.request) == 16
    assert over_mcp.request != over_http.request


def test_erasing_an_entry_erases_its_rows(server):
    server.call("ana", "remember", content="x", name="seat")
    server.call("ana", "remember", content="x", name="home")

    server.ask("POST", "/v1/spaces/ana/entries/seat/forget", {"erase": True})

    assert [each[2:] for each in rows(server)] == [("forget", ""), ("remember", "home, 2")]
    assert b"seat" not in server.tokens.audit.path.read_bytes()


def test_the_log_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(audit, "MOST_BYTES", 2_000)
    log = AuditLog(tmp_path / "audit")

    for number in range(200):
        log.note("phone", "ana", "remember", f"n{number}")

    sizes = [each.stat().st_size for each in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert sum(sizes) < 4_500
    assert next(log.read()).target == "n199"


def test_a_log_that_cannot_be_written_does_not_fail_the_write(server, caplog):
    server.tokens.audit.path.mkdir()

    assert server.call("ana", "remember", content="x", name="seat")["name"] == "seat"
    assert "audit log cannot be written" in caplog.text


def test_the_log_is_read_and_erased_from_the_shell(tmp_path):
    tokens = tmp_path / "tokens.json"
    log = AuditLog(tmp_path / "tokens.json.audit")
    for space in ("ana", "ben", "ana"):
        log.note("phone", space, "remember", "seat")

    def run(*words):
        words = ["audit", *words, "--tokens", str(tokens)]
        return CliRunner().invoke(cli, words, prog_name="ricordo")

    assert len(run().stdout.splitlines()) == 3
    assert len(run("--space", "ana", "--limit", "1").stdout.splitlines()) == 1
    assert json.loads(run("--space", "ben", "--json").stdout)[0]["token"] == "phone"
    assert run("--erase", "--space", "ana", "--yes").stdout.strip() == "2"
    assert [row.space for row in log.read()] == ["ben"]
    assert run("--erase", "--yes").stdout.strip() == "1"
    assert run().stdout == ""
