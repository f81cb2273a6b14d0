"""Learning beyond the conformance cases: bounds, threads, and what is left on disk."""

import threading

import apsw
import pytest

import ricordo
from ricordo import InvalidInput
from ricordo.flows.learning import learn
from ricordo.flows.learning.approve import MOST


def call(tool, **arguments):
    return {"name": tool, "arguments": arguments}


@pytest.fixture
def memory(tmp_path):
    with ricordo.open(tmp_path / "agent.db", embedder="none") as memory:
        yield memory


@pytest.fixture
def ana(memory):
    return memory.space("ana")


def rows(memory, table):
    """Everything in a table, past all of our own code."""
    raw = apsw.Connection(memory.stats().path)
    try:
        return raw.execute(f"SELECT * FROM {table}").fetchall()
    finally:
        raw.close()


def test_no_secret_reaches_the_file(memory, ana, tmp_path):
    for secret in ("hunter2swordfish", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"):
        ana.macros.learn(
            [
                call("login", user="ana", password=secret),
                call("bash", command=f"export TOKEN={secret} && run"),
                call("post", headers={"Authorization": f"Bearer {secret}"}, body=[{"pwd": secret}]),
            ]
        )
    ana.macros.use(ana.macros.list()[0])
    memory.close()

    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"ana" in written
    assert b"hunter2swordfish" not in written
    assert b"ghp_16C7e42F292c6912" not in written


def test_the_name_of_a_session_is_not_left_with_what_was_learnt(memory, ana):
    chat = ana.session("affair")
    chat.append("assistant", tool_calls=[call("a"), call("b")])

    ana.macros.learn(session="affair")

    assert "affair" not in repr(rows(memory, "lessons"))


def test_what_is_too_much_to_keep_still_counts(memory, ana):
    for start in range(0, 400, 100):
        ana.macros.learn(
            [call(t, n=f"value {n}") for n in range(start, start + 100) for t in ("read", "edit")]
        )

    [wide] = [macro for macro in ana.macros.list("read") if macro.next_tool == "edit"]

    assert (wide.followed, wide.seen) == (400, 400)
    assert len(rows(memory, "successions")) <= 2 * learn.KEPT


def test_learning_at_once_from_many_threads_counts_everything(ana):
    def teach(thread):
        for n in range(10):
            ana.macros.learn([call("a", n=n), call("b", thread=thread)])

    threads = [threading.Thread(target=teach, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert max(macro.followed for macro in ana.macros.list("a")) == 40


def test_a_session_learnt_by_two_openings_is_counted_once(tmp_path):
    path = tmp_path / "shared.db"
    with ricordo.open(path, embedder="none") as one, ricordo.open(path, embedder="none") as two:
        chat = one.space("ana").session("work")
        for n in range(5):
            chat.append("assistant", tool_calls=[call("a", n=n), call("b", n=n)])

        counted = [memory.space("ana").macros.learn(session="work") for memory in (one, two)]

        assert counted == [9, 0]


def test_an_answer_for_once_allows_one_of_many_that_ask_at_once(ana):
    ana.approvals.allow("make", scope="once")
    answers = []
    start = threading.Barrier(8)

    def ask():
        start.wait()
        answers.append(ana.approvals.is_allowed("make test"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers.count(True) == 1


def test_a_denial_for_once_denies_one_command(ana):
    ana.approvals.deny("make", scope="once")

    assert [ana.approvals.verdict("make test").answer for _ in range(2)] == ["deny", "ask"]
    assert ana.approvals.list() == []


@pytest.mark.parametrize("arguments", [{"x": "\ud800"}, {"\ud800": 1}, {"x": [{"y": "\ud800"}]}])
def test_arguments_that_no_store_can_keep_are_refused(ana, arguments):
    with pytest.raises(InvalidInput, match="surrogate"):
        ana.macros.learn([call("a", **arguments), call("b")])
    with pytest.raises(InvalidInput, match="surrogate"):
        ana.macros.suggest(call("a", **arguments))


def test_passing_answers_do_not_reach_another_opening(tmp_path):
    path = tmp_path / "shared.db"
    with ricordo.open(path, embedder="none") as one, ricordo.open(path, embedder="none") as two:
        one.space("ana").approvals.allow("git push", scope="session")
        one.space("ana").approvals.allow("git pull")

        assert two.space("ana").approvals.is_allowed("git pull")
        assert not two.space("ana").approvals.is_allowed("git push")
        assert rows(one, "approvals")[0][1] == '["git", "pull"]'
        assert len(rows(one, "approvals")) == 1


def test_a_denial_for_the_session_holds_against_what_is_allowed_for_good(ana):
    ana.approvals.allow("git")
    ana.approvals.deny("git push", scope="session")

    verdict = ana.approvals.verdict("git push origin")

    assert verdict.answer == "deny"
    assert "git push" in verdict.reason
    assert verdict.approval.scope == "session"


@pytest.mark.parametrize("scope", ["always", "session", "once"])
def test_what_is_denied_is_not_suggested_however_long_that_holds(ana, scope):
    for _ in range(5):
        ana.macros.learn([call("edit"), call("bash", command="make deploy")])
    assert [macro.next_tool for macro in ana.macros.suggest(call("edit"))] == ["bash"]

    ana.approvals.deny("make deploy", scope=scope)

    assert ana.macros.suggest(call("edit")) == []
    assert ana.approvals.verdict("make deploy").answer == "deny"


def test_an_answer_that_lasts_is_used_before_one_that_is_used_up(ana):
    ana.approvals.allow("make", scope="once")
    ana.approvals.allow("make")

    assert ana.approvals.verdict("make test").approval.scope == "always"
    assert [approval.scope for approval in ana.approvals.list()] == ["always", "once"]


@pytest.mark.parametrize("origin", ["tool", "web", "import"])
def test_what_comes_from_outside_is_always_asked_about(ana, origin):
    ana.approvals.allow("git")

    assert ana.approvals.verdict("git status", origin=origin).answer == "ask"
    assert ana.approvals.verdict("git status", origin="user").answer == "allow"


def test_a_memory_that_is_read_only_can_judge_and_suggest(tmp_path):
    path = tmp_path / "agent.db"
    with ricordo.open(path, embedder="none") as memory:
        ana = memory.space("ana")
        ana.approvals.allow("git")
        for _ in range(5):
            ana.macros.learn([call("a"), call("b")])
    with ricordo.open(path, embedder="none", read_only=True) as memory:
        ana = memory.space("ana")

        assert ana.approvals.is_allowed("git status")
        assert [macro.next_tool for macro in ana.macros.suggest(call("a"))] == ["b"]


def test_the_half_life_is_a_setting(tmp_path):
    with pytest.raises(InvalidInput, match="macro_half_life_days"):
        ricordo.open(tmp_path / "a.db", config={"macro_half_life_days": 0})


def test_answers_for_this_opening_are_bounded_and_leave_nothing_behind(memory):
    ana, ben = memory.space("ana"), memory.space("ben")
    for number in range(MOST + 5):
        ana.approvals.allow(["run", f"step{number}"], scope="session")
    ben.approvals.allow("ls", scope="once")

    assert ben.approvals.is_allowed("ls")
    assert len(ana.approvals.list()) == MOST
    assert ana.approvals.verdict("run step4").answer == "ask"
    assert ana.approvals.is_allowed("run step5")
    assert list(memory._engine.answers._given) == ["ana"]
