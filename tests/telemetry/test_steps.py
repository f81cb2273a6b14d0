"""Steps: who watches a memory sees what it does, and never changes how that goes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ricordo
from ricordo.handles.telemetry import measure_queues, watch
from ricordo.telemetry.steps import Steps


class Notebook:
    """A watcher that writes down what it sees."""

    wants_contents = False

    def __init__(self):
        self.begun, self.ended = [], []

    def begin(self, step):
        self.begun.append(step.name)
        return len(self.begun)

    def end(self, step, begun):
        self.ended.append((step.name, dict(step.attributes), step.error, step.contents))

    def of(self, name):
        return [told for told in self.ended if told[0] == name]


class Clumsy:
    wants_contents = True

    def begin(self, step):
        raise RuntimeError("cannot begin")

    def end(self, step, begun):
        raise RuntimeError("cannot end")


class Late(Clumsy):
    def begin(self, step):
        return None


@pytest.fixture
def notebook(memory):
    made = Notebook()
    watch(memory, made)
    return made


def test_a_watcher_sees_each_operation_with_the_space_and_how_much_it_touched(memory, notebook):
    ana = memory.space("ana")
    chat = ana.session("trip")
    chat.append("user", "A window seat, please")
    chat.extend([{"role": "user", "content": "one"}, {"role": "user", "content": "two"}])
    entry = ana.remember("Prefers window seats", name="seat")
    ana.recall("window", limit=2)
    chat.context("seat")
    ana.forget("seat")

    assert [told[1]["records"] for told in notebook.of("append")] == [1, 2]
    assert notebook.of("append")[0][1]["session"] == "trip"
    assert notebook.of("remember")[0][1]["record"] == entry.uid
    asked = notebook.of("recall")[0][1]
    assert (asked["space"], asked["mode"], asked["records"]) == ("ana", "hybrid", 2)
    assert notebook.of("context")[0][1]["session"] == "trip"
    assert notebook.of("forget")[0][1] == {
        "space": "ana",
        "record": "seat",
        "records": 1,
        "dry_run": False,
    }


def test_commits_and_embeddings_are_steps_as_well(memory, notebook):
    memory.space("ana").remember("Prefers window seats")
    memory.flush()
    memory.space("ana").recall("seats")

    assert notebook.of("commit")
    purposes = {told[1]["purpose"] for told in notebook.of("embed")}
    assert purposes == {"texts", "query"}
    assert {told[1]["model"] for told in notebook.of("embed")} == {"deterministic-hash-v1"}


def test_the_keeper_s_jobs_are_steps_also_when_they_fail(lab, tmp_path):
    folder = tmp_path / "backups"
    folder.write_text("a file where a folder belongs")
    memory = lab.open(config={"backup_folder": str(folder)})
    notebook = Notebook()
    watch(memory, notebook)
    memory.space("ana").remember("x")

    memory.keeper.run_due()  # plans them
    lab.clock.advance(days=2)
    memory.keeper.run_due()

    failed = {told[1]["job"]: told[2] is not None for told in notebook.of("job")}
    assert failed["upkeep"] is False
    assert failed["backup"] is True


def test_a_failure_is_seen_and_raised(memory, notebook):
    with pytest.raises(ricordo.NotFound):
        memory.space("ana").forget("nobody")

    assert isinstance(notebook.of("forget")[0][2], ricordo.NotFound)


def test_texts_are_made_only_for_a_watcher_that_wants_them(memory, notebook):
    memory.space("ana").remember("Prefers window seats")
    memory.space("ana").recall("window")

    assert all(told[3] == {} for told in notebook.ended)


@pytest.mark.parametrize("watcher", [Clumsy(), Late()])
def test_a_watcher_that_fails_fails_nothing_else(memory, watcher, caplog):
    notebook = Notebook()
    watch(memory, watcher)
    watch(memory, notebook)

    memory.space("ana").remember("Prefers window seats", name="seat")

    assert memory.space("ana").get("seat").content == "Prefers window seats"
    assert notebook.of("remember")
    assert "a watcher failed" in caplog.text


def test_without_a_watcher_a_step_is_one_shared_object_that_keeps_nothing():
    steps = Steps()
    first = steps.begin("recall", space="ana")
    first.show(lambda: pytest.fail("texts were made for nobody"))
    first.note(records=1)

    assert steps.begin("append") is first
    assert not hasattr(first, "__dict__")


def test_the_child_of_a_fork_is_watched_too(memory, notebook):
    memory.space("ana").remember("before")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            memory.space("ana").remember("after")
            code = 0 if len(notebook.of("remember")) == 2 else 2
        finally:
            os._exit(code)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_waits_for_a_commit_is_counted(memory):
    memory.space("ana").remember("x")
    memory.flush()

    assert measure_queues(memory).writes == 0


def test_opentelemetry_is_imported_only_where_it_is_asked_for(tmp_path):
    script = (
        "import sys, ricordo\n"
        "with ricordo.open(sys.argv[1], embedder='none') as memory:\n"
        "    memory.space('ana').remember('x')\n"
        "print(*[name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "agent.db")]
    plain = {k: v for k, v in os.environ.items() if not k.startswith("RICORDO_")}
    plain["PYTHONPATH"] = str(Path(ricordo.__file__).parent.parent)

    def run(**extra):
        done = subprocess.run(
            words, env=plain | extra, capture_output=True, text=True, check=True, timeout=120
        )
        return done.stdout.split()

    assert run() == []
    assert "opentelemetry.trace" in run(RICORDO_TELEMETRY="spans")
