"""Facts: their tool as the documents have it."""

import pytest


def test_facts_are_stated_one_or_many_at_a_time(calling, space):
    facts = calling("facts")

    one = facts("remember_fact", category="user", key="Dog Name", value="Rex")
    many = facts(
        "remember_fact",
        facts=[
            {"category": "user", "key": "dog-name", "value": "Max"},
            {"category": "user", "key": "note", "value": "none"},
        ],
    )

    assert one == "[user] dog_name = Rex"
    assert many == "[user] dog_name = Max\n[user] note = none"
    assert [each.content for each in space.history("user/dog_name")] == ["Rex"]


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"facts": []},
        {"category": "user", "key": "dog"},
        {"category": "user", "value": "Rex"},
        {"key": "dog", "value": "Rex"},
        {"facts": [{"category": "user", "key": "dog"}]},
        {
            "facts": [
                {"category": "u", "key": "k", "value": "v"},
                {"category": "u", "key": " ", "value": "v"},
            ]
        },
    ],
)
def test_facts_that_lack_something_begin_with_error_and_leave_nothing(calling, space, args):
    failure = calling("facts").refused("remember_fact", **args)

    assert failure.message.startswith("Error")
    assert failure.shape == failure.message
    assert space.entries() == []
