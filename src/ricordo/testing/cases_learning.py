"""Learning: macros are what usually follows, approvals are what need not be asked about."""

from ricordo import Space
from ricordo.errors import InvalidInput, NotFound
from ricordo.model import Json
from ricordo.testing.assertions import raises
from ricordo.testing.lab import Lab, durable


def _call(tool: str, **arguments: Json) -> dict[str, Json]:
    return {"name": tool, "arguments": arguments}


def _teach(space: Space, times: int, first: int = 0) -> None:
    for number in range(first, first + times):
        path = f"{number}.py"
        space.macros.learn([_call("read", path=path), _call("edit", path=path, mode="safe")])


def case_a_new_macro_has_no_confidence_and_was_never_used(lab: Lab) -> None:
    """MAC-1"""
    ana = lab.space()
    _teach(ana, 1)

    [macro] = ana.macros.list()

    assert (macro.confidence, macro.used_count) == (0.0, 0)
    assert (macro.trigger_tool, macro.next_tool, macro.trigger_pattern) == ("read", "edit", None)
    assert ana.macros.suggest(_call("read", path="x")) == []


def case_confidence_rises_with_each_repetition_and_falls_with_exceptions(lab: Lab) -> None:
    """MAC-2"""
    ana = lab.space()
    sure: list[float] = []
    for times in (1, 9, 90):
        _teach(ana, times, first=len(sure) * 1_000)
        sure.append(ana.macros.list("read")[0].confidence)

    assert sure == sorted(set(sure))
    assert sure[-1] > 0.9
    ana.macros.learn([_call("read", path="y"), _call("sleep")])
    assert ana.macros.list("read")[0].confidence < sure[-1]


def case_successions_of_another_space_do_not_count(lab: Lab) -> None:
    """MAC-2"""
    memory = lab.open()
    _teach(memory.space("ana"), 20)
    ben = memory.space("ben")

    assert ben.macros.list() == []
    assert ben.macros.suggest(_call("read", path="x")) == []
    _teach(ben, 1)
    assert [macro.confidence for macro in ben.macros.list()] == [0.0]
    [macro] = memory.space("ana").macros.list()
    with raises(NotFound, macro.id):
        memory.space("cid").macros.delete(macro.id)
    with raises(InvalidInput, "belongs to space 'ana'"):
        memory.space("cid").macros.delete(macro)


def case_suggestions_are_filled_from_the_call(lab: Lab) -> None:
    """MAC-3"""
    ana = lab.space()
    _teach(ana, 10)

    [macro] = ana.macros.suggest(_call("read", path="new.py"))

    assert macro.next_tool == "edit"
    assert macro.arguments == {"path": "new.py", "mode": "safe"}
    assert macro.missing == ()


def case_a_pattern_fits_only_its_own(lab: Lab) -> None:
    """MAC-3"""
    ana = lab.space()
    for number in range(8):
        ana.macros.learn(
            [_call("bash", command=f"git add {number}"), _call("bash", command="git commit")]
        )
        ana.macros.learn(
            [_call("bash", command=f"ls {number}"), _call("bash", command=f"cat {number}")]
        )

    def suggest_after(command: str) -> list[Json]:
        found = ana.macros.suggest(_call("bash", command=command))
        return [(macro.next_pattern or {})["command"] for macro in found]

    assert suggest_after("git add z") == [{"is": "git commit"}]
    assert suggest_after("ls z") == [{"starts": "cat"}]
    assert suggest_after("git addz") == []


def case_secrets_are_not_kept(lab: Lab) -> None:
    """MAC-3"""
    ana = lab.space()
    for _ in range(5):
        ana.macros.learn(
            [
                _call("login", user="ana", password="swordfish"),
                _call("bash", command="curl -H Authorization: Bearer abcdef123456 example.org"),
                _call("call", token="swordfish"),
            ]
        )

    told = str([macro.to_dict() for macro in ana.macros.list()])

    assert "swordfish" not in told
    assert "abcdef123456" not in told


def case_a_macro_fades_unless_it_is_used(lab: Lab) -> None:
    """MAC-2"""
    ana = lab.space()
    _teach(ana, 10)
    fresh = ana.macros.list()[0]

    lab.clock.advance(days=30)
    [faded] = ana.macros.list()
    assert abs(faded.confidence - fresh.confidence / 2) < 1e-3
    used = ana.macros.use(faded)
    assert used.used_count == 1
    assert abs(used.confidence - fresh.confidence) < 1e-3
    assert ana.macros.list()[0].used_count == 1


def case_a_macro_that_grows_wider_keeps_its_uses(lab: Lab) -> None:
    """MAC-1"""
    ana = lab.space()
    ana.macros.learn([_call("a", x="one"), _call("b", y="fixed")])
    ana.macros.learn([_call("a", x="one"), _call("b", y="fixed")])
    ana.macros.use(ana.macros.list()[0])

    ana.macros.learn([_call("a", x="two"), _call("b", y="other")])

    [wide] = [macro for macro in ana.macros.list() if macro.trigger_pattern is None]
    assert wide.next_pattern == {"y": {"any": True}}
    assert wide.used_count == 1


def case_forgetting_a_macro_forgets_what_it_was_learnt_from(lab: Lab) -> None:
    """MAC-1"""
    ana = lab.space()
    _teach(ana, 3)
    [macro] = ana.macros.list()
    ana.macros.use(macro)

    receipt = ana.macros.delete(macro.id)

    assert dict(receipt.removed) == {"successions": 3, "macros": 1}
    assert ana.macros.list() == []
    with raises(NotFound, macro.id):
        ana.macros.delete(macro)


def case_a_session_is_learnt_from_once(lab: Lab) -> None:
    """MAC-2"""
    ana = lab.space()
    chat = ana.session("work")
    for number in range(3):
        chat.append("assistant", tool_calls=[_call("read", path=f"{number}")])
        chat.append("tool", "text", tool_call_id=f"{number}")
        chat.append("assistant", tool_calls=[_call("edit", path=f"{number}")])

    assert ana.macros.learn(session="work") == 5
    assert ana.macros.learn(session="work") == 0
    chat.append("assistant", tool_calls=[_call("test")])
    assert ana.macros.learn(session="work") == 1
    assert {(m.trigger_tool, m.next_tool): m.followed for m in ana.macros.list()} == {
        ("read", "edit"): 3,
        ("edit", "read"): 2,
        ("edit", "test"): 1,
    }
    chat.delete()
    chat.append("assistant", tool_calls=[_call("a"), _call("b")])
    assert ana.macros.learn(session="work") == 1
    with raises(NotFound, "nowhere"):
        ana.macros.learn(session="nowhere")


def case_what_is_denied_is_not_suggested(lab: Lab) -> None:
    """MAC-3"""
    ana = lab.space()
    for _ in range(9):
        ana.macros.learn([_call("test"), _call("bash", command="git push")])
    assert len(ana.macros.suggest(_call("test"))) == 1

    ana.approvals.deny(["git", "push"])

    assert ana.macros.suggest(_call("test")) == []


def case_bad_lessons_are_refused(lab: Lab) -> None:
    """MAC-1"""
    ana = lab.space()
    for wrong in ({"name": "a"}, "read", [{"tool": "a"}], [3]):
        with raises(InvalidInput):
            ana.macros.learn(wrong)  # type: ignore[arg-type]
    with raises(InvalidInput, "session"):
        ana.macros.learn()
    with raises(InvalidInput, "min_confidence"):
        ana.macros.suggest(_call("a"), min_confidence=2)
    assert ana.macros.list() == []


@durable
def case_allowed_for_good_survives_a_restart(lab: Lab) -> None:
    """APR-1"""
    memory = lab.open()
    memory.space("ana").approvals.allow(["git"])
    memory = lab.reopen(memory)
    ana = memory.space("ana")

    assert ana.approvals.is_allowed("git push")
    for command in ("gitk", "git log; rm x", "git log & rm x", "git log > f"):
        assert ana.approvals.verdict(command).answer == "ask"
    assert not memory.space("ben").approvals.is_allowed("git push")


@durable
def case_once_and_session_leave_no_row(lab: Lab) -> None:
    """APR-2"""
    memory = lab.open()
    ana = memory.space("ana")
    ana.approvals.allow("git push", scope="session")
    ana.approvals.allow("make", scope="once")

    assert [approval.scope for approval in ana.approvals.list()] == ["session", "once"]
    assert ana.approvals.is_allowed("git push")
    assert ana.approvals.is_allowed("git push")
    assert ana.approvals.is_allowed("make test")
    assert not ana.approvals.is_allowed("make test")
    assert not memory.space("ben").approvals.is_allowed("git push")
    memory = lab.reopen(memory)
    assert memory.space("ana").approvals.list() == []
    assert not memory.space("ana").approvals.is_allowed("git push")


def case_a_wildcard_is_refused(lab: Lab) -> None:
    """APR-2"""
    ana = lab.space()
    for wrong in ("*", ["*"], ["git", "*"], "git; rm", "", []):
        with raises(InvalidInput):
            ana.approvals.allow(wrong)
    with raises(InvalidInput, "scope"):
        ana.approvals.allow("git", scope="forever")  # type: ignore[arg-type]
    assert ana.approvals.list() == []


def case_a_trusted_run_is_not_asked_about(lab: Lab) -> None:
    """APR-2"""
    ana = lab.space()
    ana.approvals.deny(["rm"])
    trusted = ana.schedule("Tidy up", "hourly", trusted=True)
    other = ana.schedule("Tidy up", "hourly")

    assert ana.approvals.verdict("make clean", trusted=trusted.trusted).answer == "allow"
    assert ana.approvals.verdict("make clean", trusted=other.trusted).answer == "ask"
    assert ana.approvals.verdict("rm x", trusted=True).answer == "deny"
    assert ana.approvals.verdict("make clean", trusted=True, origin="web").answer == "ask"
    for hidden in ("r$@m x", "sudo rm x", "X=rm; $X x", "sh -c 'rm x'", "xargs rm"):
        assert ana.approvals.verdict(hidden, trusted=True).answer in ("ask", "deny"), hidden
    ana.approvals.delete(["rm"])
    assert ana.approvals.verdict("sudo rm x", trusted=True).answer == "allow"


def case_the_last_answer_about_a_prefix_holds_and_can_be_taken_back(lab: Lab) -> None:
    """APR-1"""
    ana = lab.space()
    ana.approvals.allow("git push")
    ana.approvals.allow(["git", "push"])
    assert len(ana.approvals.list()) == 1
    ana.approvals.deny("git push")
    assert ana.approvals.verdict("git push").answer == "deny"

    assert dict(ana.approvals.delete("git push").removed) == {"approvals": 1}

    assert ana.approvals.verdict("git push").answer == "ask"
    with raises(NotFound, "git push"):
        ana.approvals.delete("git push")
