"""Tokens: who has one is let in, where it is bound to, until it is removed."""

import os
import stat
import subprocess
import sys
from dataclasses import replace

import pytest
from click.testing import CliRunner

from ricordo.errors import Conflict, InvalidInput, NotFound
from ricordo.surfaces.cli.main import cli
from ricordo.surfaces.server.guard import secret_of
from ricordo.surfaces.server.tokens import Tokens


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic abc", "abc", "Token abc"])
def test_without_a_token_nothing_is_answered(server, header):
    headers = [("Host", f"localhost:{server.port}")]
    headers += [] if header is None else [("Authorization", header)]

    for path in ("/v1/spaces", "/metrics", "/openapi.json", "/mcp", "/mcp/ana", "/nowhere"):
        reply = server.raw("GET", path, headers)
        assert reply.status == 401
        assert reply.headers["www-authenticate"].startswith("Bearer")


def test_health_needs_no_token_but_is_guarded_all_the_same(server):
    assert server.raw("GET", "/healthz", [("Host", f"localhost:{server.port}")]).json == {
        "status": "ok"
    }
    assert server.raw("GET", "/healthz", [("Host", "evil.example")]).status == 421
    evil = [("Host", f"localhost:{server.port}"), ("Origin", "http://evil.example")]
    assert server.raw("GET", "/healthz", evil).status == 403


def test_the_word_bearer_may_be_written_in_any_case():
    assert secret_of("bEaReR abc") == "abc"
    assert secret_of("Bearer abc ") == "abc"


def test_the_first_token_is_made_once_and_only_its_owner_can_read_it(tmp_path):
    tokens = Tokens(tmp_path / "data" / "tokens.json")

    first = tokens.ensure()

    assert tokens.ensure() == replace(first, token="")
    assert first.token not in tokens.path.read_text(encoding="utf-8")
    assert len(first.token) > 40
    assert tokens.grant(first.token).space is None
    if os.name == "posix":
        assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600
    names = {each.name for each in tokens.path.parent.iterdir()}
    assert names == {"tokens.json", "tokens.json.used"}
    modes = {stat.S_IMODE(each.stat().st_mode) for each in tokens.path.parent.iterdir()}
    assert modes == {0o600} or os.name != "posix"


def test_a_file_of_old_with_plain_tokens_is_read_and_written_again_with_digests(tmp_path):
    path = tmp_path / "tokens.json"
    path.write_text('{"tokens": [{"name": "default", "token": "rcl_plain", "space": null}]}')
    path.chmod(0o600)
    tokens = Tokens(path)
    assert tokens.grant("rcl_plain").name == "default"

    tokens.ensure()

    assert "rcl_plain" not in path.read_text(encoding="utf-8")
    assert tokens.grant("rcl_plain").name == "default"
    assert Tokens(path).grant("rcl_plain").space is None
    assert tokens.grant(tokens.read()[0].digest) is None  # the digest opens nothing


def test_the_last_use_of_a_token_is_noted_once_a_minute(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    phone, laptop = tokens.add("phone"), tokens.add("laptop")
    assert tokens.uses.read() == {}

    for _ in range(3):
        tokens.grant(phone.token)
    tokens.grant("rcl_guess")

    assert list(tokens.uses.read()) == [phone.digest]
    renewed = tokens.rotate("phone")
    assert tokens.uses.read().get(renewed.digest) is None
    assert laptop.digest not in tokens.uses.read()


def test_a_lent_token_reads_until_the_process_ends_and_is_in_no_file(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    tokens.ensure()

    secret = tokens.lend("hooks").token

    assert tokens.grant(secret).read_only
    assert Tokens(tmp_path / "tokens.json").grant(secret) is None
    assert [each.name for each in tokens.read()] == ["default"]


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_file_of_tokens_that_others_can_read_is_refused(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    tokens.ensure()
    tokens.path.chmod(0o640)

    with pytest.raises(InvalidInput, match="chmod 600"):
        tokens.read()


def test_a_file_that_holds_no_tokens_is_refused(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    tokens.ensure()
    tokens.path.write_text("[]", encoding="utf-8")

    with pytest.raises(InvalidInput, match="not a file of tokens"):
        tokens.read()


def test_a_server_whose_tokens_cannot_be_read_lets_nobody_in_and_says_so(server, caplog):
    server.tokens.path.chmod(0o644)
    open_to_all = server.ask("GET", "/v1/spaces")
    server.tokens.path.chmod(0o600)
    server.tokens.path.write_text('{"tokens": [{"name": "x", "token": null}]}')
    odd = server.ask("GET", "/v1/spaces")

    assert (open_to_all.status, odd.status) == (503, 503)
    assert str(server.tokens.path) not in open_to_all.json["detail"]
    assert "chmod 600" in caplog.text


@pytest.mark.parametrize(("name", "space"), [("phone", ""), ("phone", " "), ("", "ana")])
def test_a_token_is_not_bound_to_a_blank(tmp_path, name, space):
    tokens = Tokens(tmp_path / "tokens.json")

    with pytest.raises(InvalidInput, match="blank"):
        tokens.add(name, space)

    assert tokens.read() == []


def test_names_of_tokens_are_unique_and_one_that_is_not_there_cannot_go(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    tokens.add("laptop")

    with pytest.raises(Conflict, match="laptop"):
        tokens.add("laptop")
    with pytest.raises(NotFound, match="phone"):
        tokens.remove("phone")


def test_a_token_counts_from_the_moment_it_is_made_until_it_is_removed(server):
    made = server.tokens.add("laptop")
    assert server.ask("GET", "/v1/spaces", token=made.token).status == 200

    server.tokens.remove("laptop")

    assert server.ask("GET", "/v1/spaces", token=made.token).status == 401
    assert server.ask("GET", "/v1/spaces").status == 200


def test_a_bound_token_reaches_its_space_and_learns_of_no_other(server):
    server.call("ana", "remember", content="canary-ana")
    server.call("bob", "remember", content="canary-bob")
    bound = server.tokens.add("ana-phone", "ana").token

    assert server.get("/v1/spaces", bound)["items"] == ["ana"]
    assert len(server.get("/v1/spaces/ana/entries", bound)["items"]) == 1
    known = server.ask("GET", "/v1/spaces/bob/entries", token=bound)
    unknown = server.ask("GET", "/v1/spaces/eve/entries", token=bound)
    assert (known.status, unknown.status) == (404, 404)
    assert known.body.replace(b"bob", b"eve") == unknown.body
    assert (
        server.ask("POST", "/v1/spaces/bob/tools/remember", {"content": "x"}, bound).status == 404
    )
    assert server.ask("POST", "/mcp/bob", {}, bound).status == 404
    assert b'kind="entries"} 1' in server.ask("GET", "/metrics", token=bound).body
    assert b'kind="entries"} 2' in server.ask("GET", "/metrics").body


def test_a_space_in_the_body_is_not_looked_at(server):
    bound = server.tokens.add("ana-phone", "ana").token

    reply = server.ask(
        "POST", "/v1/spaces/ana/tools/remember", {"content": "x", "space": "bob"}, bound
    )

    assert reply.status == 400
    assert server.get("/v1/spaces") == {"items": [], "next": None}


@pytest.mark.skipif(os.name != "posix", reason="Windows has no lock on a folder")
def test_commands_at_once_neither_lose_a_token_nor_bring_a_revoked_one_back(tmp_path):
    tokens = Tokens(tmp_path / "tokens.json")
    for number in range(12):
        tokens.add(f"old-{number}")
    change = (
        "import sys; from ricordo.surfaces.server.tokens import Tokens; t = Tokens(sys.argv[1])"
    )
    change += "; input(); [t.add(n) if n[0] == 'n' else t.remove(n) for n in sys.argv[2:]]"
    names = [[f"{kind}-{number}" for kind in ("new", "old")] for number in range(12)]
    words = [[sys.executable, "-c", change, str(tokens.path), *pair] for pair in names]

    started = [subprocess.Popen(each, stdin=subprocess.PIPE) for each in words]
    for one in started:
        one.stdin.write(b"go\n")
        one.stdin.close()

    assert [one.wait() for one in started] == [0] * 12
    assert {each.name for each in tokens.read()} == {f"new-{number}" for number in range(12)}


def test_a_file_of_tokens_behind_a_link_is_changed_and_the_link_stays(tmp_path):
    Tokens(tmp_path / "real" / "tokens.json").add("laptop")
    link = tmp_path / "tokens.json"
    link.symlink_to(tmp_path / "real" / "tokens.json")

    Tokens(link).add("phone")

    assert link.is_symlink()
    found = Tokens(tmp_path / "real" / "tokens.json").read()
    assert [each.name for each in found] == ["laptop", "phone"]


def test_tokens_are_made_listed_and_removed_from_the_shell_and_shown_once(tmp_path):
    def run(*words):
        file = ("--tokens", str(tmp_path / "tokens.json"))
        return CliRunner().invoke(cli, ["tokens", *words, *file], prog_name="ricordo")

    secret = run("add", "phone", "--space", "ana").stdout.strip()
    listed = run("list").stdout

    assert Tokens(tmp_path / "tokens.json").grant(secret).space == "ana"
    assert listed.split("\t")[:2] == ["phone", "ana"]
    assert secret not in listed
    assert run("remove", "phone").stdout.strip() == "phone"
    assert run("list").stdout == ""
    assert run("remove", "phone").exit_code != 0
