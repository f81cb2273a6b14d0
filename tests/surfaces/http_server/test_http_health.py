"""A server that cannot write says so: to the client, to its log and to whoever asks for health."""

import contextlib
import os
import shutil
import subprocess
import sys

import pytest
from http_space import BASE
from mcp_words import call_tool
from servers import running

ROOM = 4 * 1024 * 1024


@pytest.fixture
def disk(tmp_path):
    """A file system of a few megabytes."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("needs to mount a tmpfs")
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(place)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a tmpfs")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@contextlib.contextmanager
def filled(disk):
    """Take all the room that is left but a page: less than any entry needs."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    os.truncate(filler, filler.stat().st_size - 4096)
    yield
    filler.unlink()


def write(server, number, toolset="default"):
    given = {"content": f"{number} " * 9_000, "name": f"n{number}"}
    return server.ask("POST", f"{BASE}/tools/remember?toolset={toolset}", given)


def test_a_full_disk_is_told_to_clients_the_log_and_health_until_there_is_room(disk, caplog):
    with running(disk) as server:
        assert write(server, 0).status == 200
        with filled(disk):
            refused = [write(server, number) for number in range(1, 4)]
            over_mcp = call_tool(server, "remember", {"content": "x " * 9_000, "name": "m"})
            health = server.ask("GET", "/healthz")
            gauge = server.ask("GET", "/metrics").body.decode()
            read = server.ask("GET", f"{BASE}/entries/n0")
        after = server.ask("GET", "/healthz")
        gauge_after = server.ask("GET", "/metrics").body.decode()
        written = write(server, 9)

    assert [reply.status for reply in refused] == [507] * 3
    assert refused[0].json["kind"] == refused[0].json["error"] == "disk_full"
    assert "full" in refused[0].json["detail"]
    assert str(disk) not in refused[0].body.decode()
    assert over_mcp["isError"]
    assert over_mcp["content"][0]["text"] == f"remember: {refused[0].json['detail']}"
    assert health.status == 200
    assert health.json == {
        "status": "degraded",
        "reason": "disk_full",
        "detail": refused[0].json["detail"],
    }
    assert "ricordo_writable 0" in gauge
    assert read.status == 200
    assert after.json == {"status": "ok"}
    assert "ricordo_writable 1" in gauge_after
    assert written.status == 200
    told = [each.getMessage() for each in caplog.records if each.name == "ricordo.tools"]
    assert len(told) == 1
    assert "agent.db" in told[0]
    assert "full" in told[0]
