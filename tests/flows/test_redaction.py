"""Redaction: what the hook takes out is in no row, index, vector, file or commit."""

import asyncio
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import ricordo
from ricordo import InvalidInput, aio
from ricordo.core.text.tokens import stems
from ricordo.model import Run

SECRET = "hunter2zq"
HIDDEN = "[redacted]"


def redact(text: str) -> str:
    return text.replace(SECRET, HIDDEN)


class Listening:
    """An embedder that notes what it was given."""

    dim = 2
    name = "listening"

    def __init__(self) -> None:
        self.heard: list[str] = []

    def embed(self, texts):
        self.heard += texts
        return [(1.0, 0.0)] * len(texts)


def tell_everything(memory: ricordo.Memory, folder: Path) -> None:
    """Say the secret through every door there is."""
    ana = memory.space(f"ana {SECRET}")
    said = f"The password is {SECRET} indeed"
    ana.remember(
        said,
        name=f"name {SECRET}",
        aliases=[f"alias {SECRET}"],
        tags=[SECRET],
        source=said,
        category=SECRET,
        metadata={SECRET: [SECRET, {"deep": said}]},
    )
    ana.write(f"name {SECRET}", f"again {said}")
    ana.rename(f"name {SECRET}", f"new {SECRET}")
    ana.fact("user", SECRET, said)
    chat = ana.session(f"trip {SECRET}")
    call = {"id": "c", "function": {"name": "login", "arguments": f'{{"password": "{SECRET}"}}'}}
    chat.append("user", said, name=SECRET, metadata={"raw": said})
    chat.append("assistant", [{"type": "text", "text": said}], tool_calls=[call])
    chat.extend(message for message in [{"role": "tool", "content": said, "tool_call_id": "c"}])
    chat.write_scratchpad([said])
    chat.write_summary(said, 1, 0, metadata={"raw": said})
    ana.ingest(said, uri=f"memo:{SECRET}")
    (folder / "memo.md").write_text(said)
    ana.ingest(folder / "memo.md")
    ana.schedule(said, "daily at 9", name=SECRET, channel=SECRET)
    ana.schedules.update(SECRET, goal=f"again {said}")
    ana.remind(said, cue=SECRET)
    ana.approvals.deny(["echo", SECRET])
    ana.macros.learn([{"name": SECRET, "arguments": {}}, {"name": "b", "arguments": {"a": SECRET}}])
    ana.recall(said)
    chat.context(said)
    ana.files.write("plan.md", said)
    notes = folder / "workspace"
    for inner in notes.iterdir():
        (inner / "notes").mkdir(exist_ok=True)
        (inner / "notes" / "mine.md").write_text(said)
        (inner / "notes" / f"{SECRET}.md").write_text("a secret name")
        (inner / "theirs.md").write_text(said)
    ana.files.sync()
    chat.compact()
    ana.files.checkpoint(said)
    chat.close()
    memory.flush()


@pytest.fixture
def told(tmp_path):
    """A memory that was told the secret everywhere, closed; its folder and what was embedded."""
    (tmp_path / "workspace").mkdir()
    config = {"workspace": str(tmp_path / "workspace"), "workspace_git": True}
    listening = Listening()
    with ricordo.open(
        tmp_path / "agent.db", embedder=listening, config=config, redact=redact
    ) as memory:
        tell_everything(memory, tmp_path)
        assert memory.check() == []
    return tmp_path, listening


def test_no_byte_of_the_secret_is_in_the_database(told):
    folder, _ = told

    for file in folder.glob("agent.db*"):
        assert SECRET.encode() not in file.read_bytes()
    assert HIDDEN.encode() in (folder / "agent.db").read_bytes()


def test_the_secret_is_in_no_index(told):
    folder, _ = told
    assert stems(SECRET)

    with ricordo.open(folder / "agent.db", embedder="none") as memory:
        for name in memory.spaces():
            space = memory.space(name)
            assert space.recall("password", mode="keyword")
            assert space.recall(SECRET, mode="keyword") == []


def test_the_secret_is_never_embedded(told):
    _, listening = told

    assert any(HIDDEN in text for text in listening.heard)
    assert not any(SECRET in text for text in listening.heard)


def test_the_secret_is_in_no_file_that_we_write_and_in_no_commit(told):
    folder, _ = told
    (root,) = (folder / "workspace").iterdir()
    theirs = {root / "theirs.md", root / "notes" / f"{SECRET}.md"}
    ours = {path for path in root.rglob("*.md") if path.is_file()} - theirs

    assert {path.name for path in ours} >= {"plan.md", "mine.md"}
    assert [path for path in ours if SECRET in path.read_text()] == []
    log = subprocess.run(
        ["git", "-C", str(root), "log", "-p", "--format=%an%n%B"], capture_output=True, check=True
    ).stdout.decode()
    assert HIDDEN in log
    assert SECRET not in log
    assert "theirs.md" not in log


def test_without_the_hook_the_same_would_be_found(tmp_path):
    (tmp_path / "workspace").mkdir()
    config = {"workspace": str(tmp_path / "workspace"), "workspace_git": True}
    listening = Listening()
    with ricordo.open(tmp_path / "agent.db", embedder=listening, config=config) as memory:
        tell_everything(memory, tmp_path)

    assert SECRET.encode() in (tmp_path / "agent.db").read_bytes()
    assert any(SECRET in text for text in listening.heard)


def test_the_awaitable_mirror_redacts_as_well(tmp_path):
    async def main():
        async with aio.open(tmp_path / "agent.db", embedder="none", redact=redact) as memory:
            ana = memory.space("ana")
            await ana.remember(f"It is {SECRET}", name="it")
            await ana.session("trip").append("user", f"It is {SECRET}")
            return (await ana.get("it")).content

    assert asyncio.run(main()) == f"It is {HIDDEN}"
    assert SECRET.encode() not in (tmp_path / "agent.db").read_bytes()


def test_what_a_worker_reports_is_redacted():
    now = [datetime(2026, 7, 1, tzinfo=UTC)]
    with ricordo.open(":memory:", embedder="none", redact=redact, clock=lambda: now[0]) as memory:
        memory.space("ana").schedule("Report", timedelta(hours=1), name="report")
        now[0] += timedelta(hours=2)
        (claim,) = memory.claim(worker="w")

        memory.finish(claim, Run(output=f"It is {SECRET}"))

        assert memory.space("ana").schedules.runs("report")[0].output == f"It is {HIDDEN}"


class Knowing:
    """A model that knows the secret from elsewhere."""

    def __call__(self, previous, events):
        return f"The password is {SECRET}"

    def facts(self, events):
        return f'[{{"category": "user", "key": "password", "value": "{SECRET}"}}]'


def test_what_a_model_answers_is_redacted(tmp_path):
    path = tmp_path / "agent.db"
    with ricordo.open(path, embedder="none", redact=redact) as memory:
        ana = memory.space("ana")
        chat = ana.session("trip")
        chat.extend({"role": "user", "content": f"line {n}", "importance": 0.9} for n in range(6))
        chat.summarize(summarizer=Knowing(), force=True)
        chat.compact(summarizer=Knowing())
        done = ana.dreams.consolidate(model=Knowing(), older_than=timedelta(0))

        assert chat.summary().text == f"The password is {HIDDEN}"
        assert done.failed == {}
        assert ana.fact("user", "password").content == HIDDEN
    assert SECRET.encode() not in path.read_bytes()


def test_a_hook_that_fails_lets_nothing_through(tmp_path):
    def broken(text: str) -> str:
        raise RuntimeError("the vault is sealed")

    with (
        ricordo.open(tmp_path / "agent.db", embedder="none", redact=broken) as memory,
        pytest.raises(RuntimeError, match="sealed"),
    ):
        memory.space("ana")

    assert not (tmp_path / "agent.db").exists()


def test_a_hook_returns_text():
    with (
        ricordo.open(":memory:", embedder="none", redact={}.get) as memory,
        pytest.raises(InvalidInput, match="redact gave NoneType"),
    ):
        memory.space("ana")


def test_what_the_caller_holds_is_not_changed():
    with ricordo.open(":memory:", embedder="none", redact=redact) as memory:
        metadata = {"raw": [SECRET]}
        memory.space("ana").remember("x", name="x", metadata=metadata)

        assert metadata == {"raw": [SECRET]}
        assert memory.space("ana").get("x").metadata == {"raw": [HIDDEN]}


def test_a_guarded_handle_is_still_one_of_its_kind():
    with ricordo.open(":memory:", embedder="none", redact=redact) as memory:
        space = memory.space("ana")
        assert isinstance(memory, ricordo.Memory)
        assert isinstance(space, ricordo.Space)
        assert isinstance(space.session("trip"), ricordo.Session)
        assert (space.name, space.session("trip").name) == ("ana", "trip")


def test_arguments_in_a_circle_are_refused():
    circle: list = []
    circle.append(circle)

    with (
        ricordo.open(":memory:", embedder="none", redact=redact) as memory,
        pytest.raises(InvalidInput, match="too deeply"),
    ):
        memory.space("ana").session("trip").append("user", circle)


def test_the_secret_does_not_come_in_with_an_import(tmp_path):
    (tmp_path / "workspace").mkdir()
    config = {"workspace": str(tmp_path / "workspace"), "workspace_git": True}
    with ricordo.open(tmp_path / "open.db", embedder=None, config=config) as memory:
        tell_everything(memory, tmp_path)
        memory.space(f"ana {SECRET}").remind(SECRET, cue="something else")
        memory.space(f"ana {SECRET}").exchange.export(tmp_path / "ana.jsonl")
    assert SECRET in (tmp_path / "ana.jsonl").read_text()
    listening = Listening()

    with ricordo.open(tmp_path / "agent.db", embedder=listening, redact=redact) as memory:
        ana = memory.space("ana")
        done = ana.exchange.import_file(tmp_path / "ana.jsonl")
        assert ana.exchange.import_file(tmp_path / "ana.jsonl").added == {}
        memory.flush()
        assert memory.check() == []

    texts = {"event", "scratchpad", "summary", "entry", "document", "reminder"}
    kinds = texts | {"schedule", "succession", "signal"}
    assert set(done.added) == kinds
    assert SECRET.encode() not in (tmp_path / "agent.db").read_bytes()
    assert HIDDEN in str(listening.heard)
    assert SECRET not in str(listening.heard)
