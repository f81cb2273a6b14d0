"""What hooks keep of a session: in order, without secrets, archived before it is compacted."""

import json
import subprocess
from pathlib import Path

from coding_host import KEY

from ricordo.surfaces.hooks import claude_code, main

PAGE = Path(__file__).resolve().parents[3] / "docs" / "hooks.md"


def test_a_prompt_becomes_an_event_of_the_session_in_the_space_of_the_project(host):
    assert host.hook("UserPromptSubmit", prompt="Bücher sind 本 🎈") is None

    [event] = host.events()
    assert (event.role, event.content, event.origin) == ("user", "Bücher sind 本 🎈", "user")
    with host.memory() as memory:
        assert memory.spaces() == [str(host.project)]


def test_a_whole_session_is_kept_in_order_and_searchable(host):
    host.hook("SessionStart", source="startup")
    host.hook("UserPromptSubmit", prompt="Why does the zeppelin test fail?")
    host.hook(
        "PostToolUse",
        tool_name="Read",
        tool_input={"file_path": "zeppelin.py"},
        tool_response={"content": "def lift(): return helium"},
        tool_use_id="t1",
    )
    host.hook("Stop", stop_hook_active=False, last_assistant_message="It lacks helium.")
    host.hook("Stop", stop_hook_active=True, last_assistant_message="It lacks helium.")
    host.hook("SessionEnd", reason="exit")

    events = host.events()
    assert [event.role for event in events] == ["user", "assistant", "tool", "assistant"]
    assert events[1].tool_calls[0]["function"]["name"] == "Read"
    assert events[2].tool_call_id == "t1"
    assert events[3].content == "It lacks helium."
    hits = host.space(lambda space: space.recall("helium", mode="keyword"))
    assert "It lacks helium." in [hit.text for hit in hits]
    with host.memory() as memory:
        assert memory.check() == []


def test_the_answer_is_taken_from_the_transcript_where_the_host_does_not_tell_it(host, tmp_path):
    lines = [
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "Older."}]}},
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "Newest."}]}},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "x"}]}},
        {"type": "user", "message": {"content": "thanks"}},
    ]
    path = tmp_path / "transcript.jsonl"
    path.write_text("broken\n" + "\n".join(map(json.dumps, lines)), "utf-8")

    host.hook("Stop", transcript_path=str(path))

    assert [event.content for event in host.events()] == ["Newest."]


def test_secrets_of_tools_are_not_kept(host):
    host.hook(
        "PostToolUse",
        tool_name="Bash",
        tool_input={
            "command": f"export OPENAI_API_KEY={KEY}; curl -H 'Authorization: Bearer {KEY}'"
        },
        tool_response={"stdout": f"password: hunter2\ntoken={KEY} done", "password": "hunter2"},
    )

    told = str([event.to_dict() for event in host.events()])
    assert "Bash" in told
    assert "curl" in told
    assert KEY not in told
    assert "hunter2" not in told
    assert KEY.encode() not in host.db.read_bytes()


def test_a_transcript_without_an_end_holds_nobody_up(host):
    code, out, err = host.raw(
        "Stop", json.dumps(host.input(transcript_path="/dev/zero")).encode(), "--timeout", "30"
    )

    assert (code, out, err) == (0, "", "")


def test_a_huge_result_is_cut_and_odd_characters_do_no_harm(host):
    host.hook("PostToolUse", tool_name="Read", tool_input={}, tool_response="x\0y" + "z" * 100_000)
    code, out, err = host.raw(
        "UserPromptSubmit", b'{"session_id": "s1", "cwd": "", "prompt": "a\\u0000b \\ud800 \xff"}'
    )

    assert (code, out, err) == (0, "", "")
    assert len(host.events()[1].content) < 5_000
    with host.memory() as memory:
        assert memory.check() == []


def test_tools_that_follow_each_other_are_learnt_when_the_session_ends(host):
    for n in range(5):
        for tool in ("Read", "Edit"):
            host.hook("PostToolUse", tool_name=tool, tool_input={"path": f"{n}.py"})
    host.hook("SessionEnd", reason="clear")

    [found] = host.space(
        lambda space: space.macros.suggest({"name": "Read", "arguments": {"path": "z.py"}})
    )
    assert (found.next_tool, found.arguments) == ("Edit", {"path": "z.py"})


def test_a_session_is_archived_before_the_host_compacts_it(host):
    host.hook("UserPromptSubmit", prompt="Paint the zeppelin red")
    host.hook("Stop", last_assistant_message="Done, it is red.")

    assert host.hook("PreCompact", trigger="auto", custom_instructions=None) is None
    assert host.hook("PreCompact", trigger="auto", custom_instructions=None) is None

    [archive] = host.space(lambda space: space.entries(kind="archive"))
    assert "Paint the zeppelin red" in archive.content
    expanded = host.space(lambda space: space.session("s1").expand(archive.name))
    assert [event.content for event in expanded] == ["Paint the zeppelin red", "Done, it is red."]
    told = host.context("SessionStart", source="compact")
    assert "Paint the zeppelin red" in told


def test_an_event_without_a_folder_belongs_to_the_working_directory(host):
    host.raw("UserPromptSubmit", b'{"session_id": "s1", "prompt": "Where is the hangar?"}')

    with host.memory() as memory:
        assert memory.spaces() == [str(host.project)]


def test_help_and_page_name_every_event():
    page = PAGE.read_text(encoding="utf-8")

    assert [event for event in claude_code.EVENTS if event not in main.HELP] == []
    assert [event for event in claude_code.EVENTS if f"| `{event}` |" not in page] == []


def test_the_end_of_a_session_commits_what_the_space_remembers(host, tmp_path):
    host.env |= {"RICORDO_WORKSPACE": str(tmp_path / "files"), "RICORDO_WORKSPACE_GIT": "true"}
    host.hook("UserPromptSubmit", prompt="I like window seats")
    host.space(lambda space: space.remember("Prefers window seats", name="seat"))

    host.hook("SessionEnd", reason="exit")

    (folder,) = (path for path in (tmp_path / "files").iterdir() if path.is_dir())
    told = ["git", "-C", str(folder), "show", "--format=%s", "HEAD"]
    shown = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    assert "session-close: s1" in shown
    assert "+Prefers window seats" in shown
