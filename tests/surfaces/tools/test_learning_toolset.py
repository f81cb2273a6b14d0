"""Learning: what a model sees of it, and what it may not do."""

from ricordo.surfaces.tools import registry


def test_what_follows_a_call_is_suggested_used_and_forgotten(calling, space):
    calls = [{"name": "git_add", "arguments": {}}, {"name": "git_commit", "arguments": {"m": "x"}}]
    space.macros.learn(calls * 20)
    learning = calling("learning")

    found = learning("suggest", tool="git_add")["suggestions"][0]
    used = learning("use_macro", id=found["id"])
    learning("forget_macro", id=found["id"])

    assert found["tool"] == "git_commit"
    assert used == {"id": found["id"], "used_count": 1}
    assert learning("suggest", tool="git_add") == {"suggestions": []}
    assert learning.refused("use_macro", id=found["id"]).kind == "not_found"


def test_a_model_sees_approvals_and_cannot_give_any(calling, space):
    space.approvals.allow("git status")

    shown = calling("learning")("approvals")["approvals"]

    assert [each["answer"] for each in shown] == ["allow"]
    assert not {"approve", "verdict", "forget_approval"} & set(registry.names())


def test_a_dream_is_tried_and_undone(calling, space):
    learning = calling("learning")
    tried = learning("dream", dry_run=True)

    assert (tried["sweep"], tried["promoted"]) == (None, [])
    sweep = learning("dream")["sweep"]
    if sweep is not None:
        assert learning("undo", sweep=sweep)["sweep"] == sweep
    assert learning.refused("undo", sweep=999).kind == "not_found"
