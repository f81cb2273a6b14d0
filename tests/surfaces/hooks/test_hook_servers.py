"""Hooks beside a server: recall by meaning while it runs, by words otherwise; only loopback."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from urllib.parse import quote

import pytest

import ricordo
from ricordo.surfaces.server import beacon
from ricordo.surfaces.server.beacon import Beacon

pytest.importorskip("fcntl")
SAID = "Retries stop after seven attempts."
QUESTION = "How often do we try again?"


@pytest.fixture(autouse=True)
def folder(host, monkeypatch):
    """A data folder of its own, for this process and for the hooks."""
    for name in ("HOME", "XDG_DATA_HOME"):
        host.env[name] = str(host.db.parent / "data")
        monkeypatch.setenv(name, host.env[name])


@contextlib.contextmanager
def serving(host):
    """A server of the host's memory, as a process."""
    command = [sys.executable, "-m", "ricordo", "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, env=host.env, stdout=subprocess.PIPE) as process:
        limit = threading.Timer(60, process.kill)
        limit.start()
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            limit.cancel()
            process.kill()


def load_model(host, told):
    """The first recall of a server takes longer than a hook waits."""
    url = f"{told['url']}/v1/spaces/{quote(str(host.project), safe='')}/recall?q=hello"
    asked = urllib.request.Request(url, headers={"Authorization": f"Bearer {told['token']}"})
    urllib.request.urlopen(asked, timeout=60).close()


def test_a_hook_recalls_by_meaning_while_a_server_runs(host):
    with ricordo.open(host.db, keep=False) as memory:
        chat = memory.space(str(host.project)).session("old")
        chat.append("user", SAID)
        chat.append("user", "The report needs an index.")
        memory.flush()
    assert host.context("UserPromptSubmit", "a", prompt=QUESTION) == ""

    with serving(host) as (process, told):
        load_model(host, told)
        found = host.context("UserPromptSubmit", "b", prompt=QUESTION)
        elsewhere = host.context("UserPromptSubmit", "b", prompt="What is the capital of France?")
        process.kill()
        process.wait()
        after = host.context(
            "UserPromptSubmit", "c", prompt="How many attempts before retries stop?"
        )

    assert f"> {SAID}" in found
    assert '[memory "old#1" from user' in found
    assert SAID not in elsewhere
    assert f"> {SAID}" in after  # by words: the file of a killed server is not believed


def test_a_server_takes_its_beacon_away(host):
    host.hook("UserPromptSubmit", prompt="Hello")
    with serving(host) as (process, told):
        urllib.request.urlopen(
            f"{told['url']}/healthz", timeout=60
        ).close()  # it listens to signals
        found = beacon.find(str(host.db))
        process.terminate()
        process.wait()

    assert found is not None
    assert f"http://{found.host}:{found.port}" == told["url"]
    assert found.token not in (told["token"], "")
    assert beacon.find(str(host.db)) is None
    assert not list(Path(host.env["XDG_DATA_HOME"]).rglob("servers/*"))


def test_a_beacon_is_believed_only_from_its_owner_while_its_server_lives():
    local = Beacon("127.0.0.1", 1, "/t")
    with beacon.announce("a.db", local):
        assert beacon.find("a.db") == local
        assert beacon.find("b.db") is None
        with beacon.announce("a.db", Beacon("127.0.0.1", 2, "/t")):  # a second server
            assert beacon.find("a.db") == local
        [file] = Path(os.environ["XDG_DATA_HOME"]).rglob("servers/*")
        assert file.stat().st_mode & 0o777 == 0o600
        left = file.read_bytes()
        file.chmod(0o644)
        assert beacon.find("a.db") is None
    assert not file.exists()
    file.touch(0o600)
    file.write_bytes(left)  # as a killed server leaves it
    assert beacon.find("a.db") is None


@pytest.mark.parametrize("text", ["", "{}", '{"host": "example.org", "port": 80, "token": "t"}'])
def test_a_beacon_that_leads_elsewhere_is_not_followed(text):
    with beacon.announce("a.db", Beacon("127.0.0.1", 1, "/t")):
        [file] = Path(os.environ["XDG_DATA_HOME"]).rglob("servers/*")
        file.write_text(text, "utf-8")
        assert beacon.find("a.db") is None


def test_a_server_that_is_open_to_others_is_not_announced():
    with beacon.announce("a.db", Beacon("0.0.0.0", 1, "/t")):
        assert beacon.find("a.db") is None


def test_the_users_own_space_is_read_beside_the_projects(host):
    host.env["RICORDO_HOOKS_USER_SPACE"] = "me"
    with host.memory() as memory:
        memory.space("me").remember("Answer in British spelling", name="spelling", importance=0.9)
        for drink in ("tea", "water", "milk"):
            memory.space("me").remember(f"Drinks {drink} at times", name=drink)
        memory.space("me").session("diary").append("user", "My British spelling is poor")
    host.hook("UserPromptSubmit", "old", prompt="The zeppelin hangar is in Friedrichshafen")

    started = host.context("SessionStart", "new", source="startup")
    asked = host.context("UserPromptSubmit", "new", prompt="British spelling or American?")

    for told in (started, asked):
        assert 'From the space "me":\n[memory "spelling" from' in told
        assert "> Answer in British spelling" in told
        assert "poor" not in told
    with host.memory() as memory:
        assert len(memory.space("me").sessions()) == 1
    del host.env["RICORDO_HOOKS_USER_SPACE"]
    assert "Answer in British" not in host.context("SessionStart", "newer", source="startup")
