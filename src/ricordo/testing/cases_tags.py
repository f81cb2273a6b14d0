"""Tags: the labels a caller gives, and those a text brings along."""

from ricordo.errors import InvalidInput
from ricordo.testing.assertions import names, raises, texts
from ricordo.testing.lab import Lab


def case_tags_of_a_filter_must_all_be_there(lab: Lab) -> None:
    """TAG-1"""
    space = lab.space()
    space.remember("the plan", name="both", tags=["project-a", "workflow"])
    space.remember("the plan", name="first", tags=["project-a"])
    space.remember("the plan", name="other", tags=["project-b", "draft"])

    for profile in ("default", "minmax", "rrf", "two_tier", "bm25"):
        found = space.recall("plan", tags=[" Project-A", "workflow"], profile=profile)
        assert names(found) == ["both"], profile
        assert space.recall("plan", tags=["workflow", "draft"], profile=profile) == []


def case_tags_are_brought_to_one_form(lab: Lab) -> None:
    """TAG-2"""
    space = lab.space()

    assert space.remember("x", tags=[" Work ", "work", "WORK", " "]).tags == ("work",)
    assert len(space.remember("x", tags=[f"t{n}" for n in range(17)]).tags) == 16
    assert space.remember("x", tags=["y" * 70]).tags == ("y" * 64,)
    with raises(InvalidInput, "tags"):
        space.remember("x", tags="work")


def case_a_tag_finds_what_its_text_does_not_say(lab: Lab) -> None:
    """TAG-3"""
    space = lab.space()
    entry = space.remember("OpenAI quota monitoring endpoint", name="a")
    space.remember("the monthly bill", name="b", tags=["openai"])
    space.remember("a walk in the park", name="c")

    assert "openai" in entry.concept_tags
    assert set(names(space.recall("openai", profile="rrf", mode="keyword"))) == {"a", "b"}


def case_concept_tags_follow_the_content(lab: Lab) -> None:
    """TAG-4, TAG-5"""
    space = lab.space()
    space.remember("an s3 bucket of egyptian art, see src/main.rs on 2026-04-22", name="a")

    before = space.get("a")
    after = space.write("a", "备份 with foo_bar")

    assert before is not None
    assert "gpt" not in before.concept_tags
    assert {"s3", "src/main.rs", "bucket"} <= set(before.concept_tags)
    assert "2026-04-22" not in before.concept_tags
    assert len(before.concept_tags) <= 8
    assert {"foo-bar", "备份"} <= set(after.concept_tags)
    assert "s3" not in after.concept_tags
    assert texts(space.recall("s3", profile="rrf", mode="keyword")) == []
