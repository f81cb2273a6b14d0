"""The command as a process: exit codes, bytes, pipes, completion and the demo."""

import os
import re
import subprocess
import sys

import pytest
from command_line import ROOT, command, ok, process

import ricordo


def test_the_process_ends_with_the_exit_code_and_no_traceback():
    done = process("remember", "Prefers window seats", "--name", "seat")
    assert (done.returncode, done.stdout) == (0, f"seat{os.linesep}".encode())

    missing = process("get", "nope")
    assert missing.returncode == 3
    assert missing.stderr.decode().startswith("ricordo: there is no entry 'nope'")
    assert b"Traceback" not in missing.stderr


def test_text_is_utf8_whatever_the_locale_says():
    c_locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    process("remember", "-", "--name", "poem", input="ação 日本 🙂".encode(), env=c_locale)

    done = process("get", "poem", env=c_locale | {"PYTHONIOENCODING": "ascii"})

    assert done.stdout.decode("utf-8").rstrip() == "ação 日本 🙂"


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are always text there")
def test_an_argument_that_is_no_text_is_refused_in_words():
    done = process("remember", b"caf\xe9")

    assert done.returncode == 2
    assert done.stderr.startswith(b"ricordo: ")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently there")
def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        texts = [{"role": "user", "content": "words " * 200} for _ in range(300)]
        memory.space("default").session("s").extend(texts)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    read, written = os.pipe()
    os.close(read)

    done = subprocess.run(
        command("show", "s"), stdout=written, stderr=subprocess.PIPE, env=env, check=False
    )
    os.close(written)

    assert (done.returncode, done.stderr) == (0, b"")


def test_help_and_completion_load_no_numpy():
    program = (
        "import sys; from ricordo.surfaces.cli.main import cli; "
        "cli.main(['recall', '--help'], standalone_mode=False); "
        "assert not {'numpy', 'onnxruntime', 'blake3', 'rich'} & set(sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", program], env=env, check=True, capture_output=True)


def test_the_shell_is_told_verbs_and_options():
    env = {"_RICORDO_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "ricordo re"}
    done = process(env=env)
    words = {line.split(",")[1] for line in done.stdout.decode().split()}

    known = {"rekey", "remember", "recall", "remind", "rename", "rename-space", "renew", "release"}
    assert words == known


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for(shell):
    assert "_RICORDO_COMPLETE" in ok("completion", shell)


def test_the_demo_tells_its_story_on_the_default_embedder():
    done = process("demo", env={"RICORDO_EMBEDDER": "minilm", "NO_COLOR": "1"})
    told = done.stdout.decode()

    assert (done.returncode, done.stderr) == (0, b"")
    assert "\x1b" not in told
    assert re.search(r"the doctor of her pet.*\n.*The vet has a free slot", told)
    assert re.search(r"as_of=.*\n.*Porto\n.*\n.*Lisbon", told)
    assert "all is well" in told


def test_the_demo_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    ok("demo")

    assert list(tmp_path.iterdir()) == []
