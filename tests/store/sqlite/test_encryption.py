"""Encrypted files: nothing plain on the disk, and every errand that works on a plain one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import apsw
import keyring
import keyring.backend
import keyring.errors
import pytest

import ricordo
from ricordo.errors import shorten
from ricordo.store.sqlite import chacha20, file
from ricordo.store.sqlite.cipher import Cipher

KEY = bytes(range(32))
WORD = "Xylophone"


def fill(path, key, **options):
    memory = ricordo.open(path, key=key, embedder="hash", keep=False, **options)
    memory.space("ana").remember(f"{WORD} by the window", name="seat")
    memory.space("ana").session("trip").append("user", f"{WORD} to Oslo")
    return memory


def texts(path, key):
    with ricordo.open(path, key=key, embedder="none", keep=False) as memory:
        assert memory.check() == []
        return [entry.content for entry in memory.space("ana").entries()]


def plain_files(folder):
    return [path.name for path in folder.rglob("*") if path.is_file() and has_word(path)]


def has_word(path):
    content = path.read_bytes()
    return WORD.encode() in content or WORD.lower().encode() in content


@pytest.mark.parametrize("key", [KEY, KEY.hex(), "correct horse battery staple", lambda: KEY])
def test_no_file_of_an_encrypted_memory_holds_a_plain_word(tmp_path, key):
    path = tmp_path / "agent.db"

    with fill(path, key) as memory:
        memory.backup(tmp_path / "backup.db")
        memory.copy(tmp_path / "copy.db")
        assert (tmp_path / "agent.db-wal").stat().st_size > 0
        assert plain_files(tmp_path) == []

    assert plain_files(tmp_path) == []
    for name in ("agent.db", "backup.db", "copy.db"):
        assert texts(tmp_path / name, key) == [f"{WORD} by the window"]


@pytest.mark.parametrize("key", [None, "guessed", bytes(32)])
def test_a_missing_or_wrong_key_changes_nothing_and_speaks_of_no_damage(tmp_path, key):
    path = tmp_path / "agent.db"
    fill(path, KEY).close()
    before = path.read_bytes()

    with pytest.raises(ricordo.KeyNeeded if key is None else ricordo.WrongKey) as told:
        ricordo.open(path, key=key)

    assert not isinstance(told.value, ricordo.Corrupt)
    for word in ("damage", "salvage", "backup", KEY.hex(), "guessed"):
        assert word not in str(told.value)
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["agent.db"]


def test_a_damaged_first_page_does_not_make_a_right_key_a_wrong_one(tmp_path):
    path = tmp_path / "agent.db"
    fill(path, KEY).close()
    content = bytearray(path.read_bytes())
    content[300] ^= 1
    path.write_bytes(content)

    with ricordo.open(path, key=KEY, keep=False) as memory:
        assert [each.rule for each in memory.check()] == ["file"]
        with pytest.raises(ricordo.Corrupt):
            memory.spaces()
    with pytest.raises(ricordo.WrongKey):
        ricordo.open(path, key="guessed")


def test_a_first_page_that_a_power_cut_tore_is_read_from_the_wal(tmp_path):
    path, cut = tmp_path / "agent.db", tmp_path / "cut.db"
    with fill(path, KEY):
        content, log = bytearray(path.read_bytes()), Path(f"{path}-wal").read_bytes()
    content[4096 - chacha20.TAIL : 4096] = bytes(chacha20.TAIL)  # the last sector is another one
    cut.write_bytes(content)
    Path(f"{cut}-wal").write_bytes(log)

    assert texts(cut, KEY) == [f"{WORD} by the window"]


def test_a_plain_memory_is_not_opened_with_a_key(tmp_path):
    path = tmp_path / "agent.db"
    fill(path, None).close()

    with pytest.raises(ricordo.InvalidInput, match="not encrypted"):
        ricordo.open(path, key=KEY)


@pytest.mark.parametrize("key", [b"short", b"", "", "  ", 7, ["a"]])
def test_what_cannot_be_a_key_is_refused_without_showing_it(tmp_path, key):
    with pytest.raises(ricordo.InvalidInput, match="64 hexadecimal digits") as told:
        ricordo.open(tmp_path / "agent.db", key=key)

    assert "short" not in str(told.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [":memory:", "postgresql://localhost/x", "libsql://localhost"])
def test_only_files_take_a_key(path):
    with pytest.raises(ricordo.InvalidInput, match="only files are encrypted"):
        ricordo.open(path, key=KEY)


def test_a_memory_in_ram_does_not_mind_a_key_in_the_environment(monkeypatch):
    monkeypatch.setenv("RICORDO_KEY", KEY.hex())

    with ricordo.open(embedder="none") as memory:
        assert memory.spaces() == []


def test_no_key_is_shown_by_what_holds_it(tmp_path):
    with fill(tmp_path / "agent.db", "hush hush") as memory:
        store = memory._engine.store
        shown = [repr(each) for each in (store.secret, store._cipher, memory)]

    assert not any("hush" in each or shorten(KEY.hex())[1:9] in each for each in shown)


def test_salvage_gets_every_row_out_of_a_damaged_encrypted_file(tmp_path):
    path, saved = tmp_path / "agent.db", tmp_path / "saved.db"
    with fill(path, "pass phrase") as memory:
        for number in range(200):
            memory.space("ana").remember(f"{WORD} number {number}", name=f"n{number}")
    content = bytearray(path.read_bytes())
    for at in (200, 20_000):  # one bit each: the stream keeps the others
        content[at] ^= 1
    path.write_bytes(content)

    with pytest.raises(ricordo.KeyNeeded):
        ricordo.salvage(path, saved)
    with pytest.raises(ricordo.WrongKey):
        ricordo.salvage(path, saved, key="guessed")
    assert not saved.exists()
    done = ricordo.salvage(path, saved, key="pass phrase")

    assert done.saved["entries"] >= 199
    assert plain_files(tmp_path) == []
    with ricordo.open(saved, key="pass phrase", embedder="none", keep=False) as memory:
        assert memory.check() == []
        assert memory.stats().entries == done.saved["entries"]


def test_an_erasure_looks_into_the_decrypted_pages(tmp_path):
    with fill(tmp_path / "agent.db", KEY) as memory:
        blocks = [b"".join(each) for each in memory._engine.store.read_files(1 << 16)]
        assert sum(WORD.encode() in each for each in blocks) > 0
        memory._engine.store.fold()
        [main] = [b"".join(each) for each in memory._engine.store.read_files(1 << 16)][:1]
        assert WORD.encode() in main

        receipt = memory.erase("ana")

        assert receipt.remnants == 0
        blocks = [b"".join(each) for each in memory._engine.store.read_files(1 << 16)]
        assert not any(WORD.encode() in each for each in blocks)


def test_an_erasure_that_left_something_in_an_encrypted_file_says_so(tmp_path, monkeypatch):
    with fill(tmp_path / "agent.db", KEY) as memory:
        memory._engine.store.fold()
        store = memory._engine.store
        kept = [b"".join(each) for each in store.read_files(1 << 16)]
        monkeypatch.setattr(store, "read_files", lambda _: [iter([each]) for each in kept])

        receipt = memory.space("ana").forget("seat", erase=True)

    assert receipt.remnants > 0


def test_both_ways_to_decrypt_agree_with_sqlite(tmp_path):
    path = tmp_path / "agent.db"
    with fill(path, KEY) as memory:
        for number in range(50):
            memory.space("ana").remember(f"number {number} " * 40)
    raw = path.read_bytes()
    size, numbers = 4096, range(1, len(raw) // 4096 + 1)

    whole = Cipher(KEY, raw[:16]).decrypt(raw, numbers, size)

    assert all(chacha20.has_tag(raw[(n - 1) * size : n * size], n, KEY) for n in numbers)
    assert not chacha20.has_tag(raw[:size], 1, bytes(32))
    assert Cipher(KEY, raw[:16]).read_header(raw[:size]) == whole[:100]
    copy = apsw.Connection(":memory:")
    copy.deserialize("main", whole[:18] + b"\1\1" + whole[20:])  # in RAM there is no WAL
    assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_key_file_opens_a_memory_and_must_be_private(tmp_path, monkeypatch):
    held = tmp_path / "agent.key"
    held.write_text(KEY.hex() + "\n")
    held.chmod(0o600)
    monkeypatch.setenv("RICORDO_KEY_FILE", str(held))
    fill(tmp_path / "agent.db", None).close()

    assert texts(tmp_path / "agent.db", KEY) == [f"{WORD} by the window"]
    held.chmod(0o640)
    with pytest.raises(ricordo.InvalidInput, match="chmod 600"):
        ricordo.open(tmp_path / "agent.db")
    held.unlink()
    with pytest.raises(ricordo.NotFound, match="no key file"):
        ricordo.open(tmp_path / "agent.db")


class Ring(keyring.backend.KeyringBackend):
    """A keyring in RAM."""

    priority = 1

    def __init__(self):
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


@pytest.fixture
def ring():
    before = keyring.get_keyring()
    made = Ring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def test_a_keyring_opens_a_memory_also_if_a_change_of_key_was_cut_off(tmp_path, ring):
    path = tmp_path / "agent.db"
    fill(path, KEY).close()
    ring.kept["ricordo", str(path)] = bytes(32).hex()

    with pytest.raises(ricordo.WrongKey):
        ricordo.open(path)
    ring.kept["ricordo", f"{path}#new"] = KEY.hex()

    assert texts(path, None) == [f"{WORD} by the window"]


def test_encrypt_rekey_and_decrypt_keep_every_row(tmp_path):
    path = tmp_path / "agent.db"
    fill(path, None).close()
    link = tmp_path / "link.db"
    link.symlink_to(path)

    ricordo.encrypt(link, "first phrase")
    assert plain_files(tmp_path) == []
    assert texts(path, "first phrase") == [f"{WORD} by the window"]
    ricordo.rekey(path, KEY, "first phrase")
    with pytest.raises(ricordo.WrongKey):
        ricordo.open(path, key="first phrase")
    assert texts(path, KEY) == [f"{WORD} by the window"]
    with pytest.raises(ricordo.WrongKey):
        ricordo.decrypt(path, "first phrase")
    ricordo.decrypt(path, KEY)

    assert texts(path, None) == [f"{WORD} by the window"]
    assert link.is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["agent.db", "link.db"]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_memory_that_is_in_use_is_not_encrypted(tmp_path, monkeypatch):
    monkeypatch.setattr(file, "BUSY_TIMEOUT_MS", 100)  # waiting longer changes nothing here
    path = tmp_path / "agent.db"
    with fill(path, None), pytest.raises(ricordo.Busy, match="end it first"):
        ricordo.encrypt(path, KEY)

    assert texts(path, None) == [f"{WORD} by the window"]


def test_other_names_of_a_file_are_not_left_behind_plain(tmp_path):
    path = tmp_path / "agent.db"
    fill(path, None).close()
    os.link(path, tmp_path / "other.db")

    with pytest.raises(ricordo.InvalidInput, match="hard links"):
        ricordo.encrypt(path, KEY)

    assert texts(tmp_path / "other.db", None) == [f"{WORD} by the window"]


def test_encrypting_twice_and_decrypting_a_plain_file_are_refused(tmp_path):
    path = tmp_path / "agent.db"
    fill(path, None).close()

    with pytest.raises(ricordo.InvalidInput, match="not encrypted"):
        ricordo.decrypt(path, KEY)
    ricordo.encrypt(path, KEY)
    with pytest.raises(ricordo.InvalidInput, match="already"):
        ricordo.encrypt(path, KEY)
    with pytest.raises(ricordo.NotFound):
        ricordo.encrypt(tmp_path / "none.db", KEY)
    with pytest.raises(ricordo.KeyNeeded):
        ricordo.decrypt(path)


KILLED = """
import os, signal, sys
import ricordo
from ricordo.store.sqlite import reencrypt as room

path, step, new = sys.argv[1:]
real = getattr(room, step)

def die(*args, **rest):
    if new == "after":
        real(*args, **rest)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(room, step, die)
ricordo.rekey(path, "new phrase", "old phrase")
"""


@pytest.mark.parametrize(
    "step", ["_take", "_verify", "_put_in_place", "_overwrite", "_sync_folder"]
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_change_of_key_that_is_killed_leaves_one_whole_file(tmp_path, step, when):
    path = tmp_path / "agent.db"
    fill(path, "old phrase").close()

    done = subprocess.run([sys.executable, "-c", KILLED, path, step, when], check=False)

    assert done.returncode == -signal.SIGKILL
    opened = []
    for key in ("old phrase", "new phrase"):
        try:
            opened.append(texts(path, key))
        except ricordo.WrongKey:
            opened.append(None)
    assert sorted(opened, key=bool) == [None, [f"{WORD} by the window"]]
    assert plain_files(tmp_path) == []


APPENDS = """
import sys
import ricordo
with ricordo.open(sys.argv[1], key="one phrase", embedder="none", keep=False) as memory:
    for number in range(40):
        memory.space("ana").session(sys.argv[2]).append("user", f"said {number}")
"""


def test_processes_share_a_new_encrypted_memory_by_one_passphrase(tmp_path):
    path = tmp_path / "agent.db"

    running = [
        subprocess.Popen([sys.executable, "-c", APPENDS, path, f"s{number}"]) for number in range(3)
    ]

    assert [each.wait() for each in running] == [0, 0, 0]
    with ricordo.open(path, key="one phrase", embedder="none", keep=False) as memory:
        assert memory.check() == []
        assert [each.events for each in memory.space("ana").sessions()] == [40, 40, 40]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["agent.db"]


def test_a_plain_sqlite_is_named_as_the_reason(tmp_path, monkeypatch):
    fill(tmp_path / "agent.db", KEY).close()
    monkeypatch.setattr(apsw, "mc_version", None)

    with pytest.raises(ricordo.Unavailable, match="--force-reinstall --no-deps apsw-sqlite3mc"):
        ricordo.open(tmp_path / "agent.db", key=KEY)


def test_a_plain_sqlite_writes_nothing_where_a_key_is_given(tmp_path, monkeypatch):
    with fill(tmp_path / "agent.db", KEY) as memory:
        monkeypatch.setattr(apsw, "mc_version", None)
        with pytest.raises(ricordo.Unavailable, match="apsw-sqlite3mc"):
            memory.backup(tmp_path / "backup.db")
    with pytest.raises(ricordo.Unavailable, match="apsw-sqlite3mc"):
        fill(tmp_path / "new.db", KEY)

    assert {path.name for path in tmp_path.iterdir()} <= {"agent.db", "agent.db-head"}


def test_a_file_that_is_no_memory_is_no_encrypted_memory_either(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("words " * 1_000)

    for key in (None, KEY):
        with pytest.raises(ricordo.Corrupt, match="not a memory"):
            ricordo.open(path, key=key)

    assert Path(path).read_text() == "words " * 1_000
