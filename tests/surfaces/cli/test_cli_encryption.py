"""The verbs encrypt, rekey and decrypt, and every other verb on an encrypted file."""

import pytest
from command_line import ok, parsed, run


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A plain memory with one word to look for, and a key file that does not exist yet."""
    ok("remember", "Xylophone by the window", "--name", "seat")
    [file] = [path for path in tmp_path.rglob("*.db") if path.is_file()]
    return file


def test_a_memory_is_encrypted_rekeyed_and_decrypted(tmp_path, monkeypatch, kept):
    first, second = str(tmp_path / "first.key"), str(tmp_path / "second.key")

    assert parsed("encrypt", "--key-file", first)["encrypted"] is True
    assert b"Xylophone" not in kept.read_bytes()
    assert (tmp_path / "first.key").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("RICORDO_KEY_FILE", first)
    assert "Xylophone" in ok("get", "seat")
    ok("rekey", "--key-file", second)
    assert run("get", "seat").exit_code == 1
    monkeypatch.setenv("RICORDO_KEY_FILE", second)
    assert "Xylophone" in ok("get", "seat")
    found = {each["what"]: each["detail"] for each in parsed("doctor")["findings"]}
    assert found["encryption"] == "encrypted"
    assert run("decrypt").exit_code == 2  # without a terminal it wants --yes
    ok("decrypt", "--yes")
    monkeypatch.delenv("RICORDO_KEY_FILE")

    assert "Xylophone" in ok("get", "seat")


def test_a_memory_without_its_key_is_told_as_that_by_every_verb(tmp_path, monkeypatch, kept):
    key = str(tmp_path / "agent.key")
    ok("encrypt", "--key-file", key)

    for args in (["list"], ["recall", "x"], ["check"], ["remember", "x"], ["decrypt", "--yes"]):
        told = run(*args)
        assert told.exit_code == 1
        assert "is encrypted; give its key" in told.stderr
        assert "salvage" not in told.stderr
    monkeypatch.setenv("RICORDO_KEY", "not the key")
    told = run("list")
    assert "does not open" in told.stderr
    assert "not the key" not in told.stderr


def test_no_key_is_invented_where_none_is_named(tmp_path, kept):
    told = run("encrypt")

    assert told.exit_code == 1
    assert "--key-file" in told.stderr
    assert b"Xylophone" in kept.read_bytes()


def test_a_key_of_the_environment_encrypts_and_is_not_printed(monkeypatch, kept):
    monkeypatch.setenv("RICORDO_KEY", "several words of a phrase")

    told = run("encrypt")

    assert told.exit_code == 0
    assert b"Xylophone" not in kept.read_bytes()
    assert "several words" not in told.stdout + told.stderr + ok("config")
