"""The MCP server, driven by a real client over stdio and HTTP, in both eras of the protocol."""

import contextlib
import json
import signal
import subprocess
import sys
import threading
from functools import partial

import anyio
import pytest
from click.testing import CliRunner
from mcp import MCPError, types
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated
from servers import ERAS, SOURCE, command, environment, over_http, over_stdio, running

import recollect
from recollect.errors import InvalidInput, NotFound
from recollect.surfaces.cli import cli
from recollect.surfaces.hosts import HOSTS, configuration
from recollect.surfaces.mcp import prompts, resources
from recollect.surfaces.tools import ToolFailure, registry

SEAT = {"content": "Prefers window seats", "name": "travel/seat"}
ADDRESS = "recollect://entries/travel%2Fseat"


@pytest.fixture
def server(tmp_path):
    with running(tmp_path) as server:
        yield server


def grouped():
    """The toolsets in as few connections as their names allow."""
    groups: list[list[str]] = []
    for name in registry.toolsets():
        for group in groups:
            with contextlib.suppress(recollect.InvalidInput):
                registry.toolset(",".join([*group, name]))
                group.append(name)
                break
        else:
            groups.append([name])
    return [",".join(group) for group in groups]


def text_of(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


def drive(work, *args, **rest):
    """Run a coroutine; one that hangs fails."""

    async def bounded():
        with anyio.fail_after(120):
            return await work(*args, **rest)

    return anyio.run(bounded)


# --- tools ------------------------------------------------------------------------------------


async def every_example(client, toolset, twin):
    """Call every tool by its examples; the registry itself says what to expect."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    tools = registry.toolset(toolset)
    assert list(listed) == [tool.name for tool in tools]
    for tool in tools:
        for example in tool.examples:
            result = await client.call_tool(tool.name, dict(example))
            failure = expected_failure(tool, example, twin)
            assert result.is_error is (failure is not None), (tool.name, result)
            if failure is not None:
                assert text_of(result) == f"{tool.name}: {failure}"
            else:
                assert text_of(result)
                has_structure = result.structured_content is not None
                assert has_structure is (tool.result is not None)


def expected_failure(tool, example, space):
    try:
        registry.call(tool.name, example, space, "default", tool.toolset)
    except ToolFailure as failure:
        return failure.message
    return None


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("toolset", grouped())
def test_every_tool_of_every_toolset_answers_over_stdio(tmp_path, toolset, mode):
    async def work(twin):
        words = ("--space", "ana", "--toolset", toolset)
        async with over_stdio(tmp_path / "agent.db", mode, *words) as client:
            await every_example(client, toolset, twin)

    with recollect.open(tmp_path / "twin.db", embedder="hash") as memory:
        drive(work, memory.space("ana"))


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("toolset", grouped())
def test_every_tool_of_every_toolset_answers_over_http(server, tmp_path, toolset, mode):
    async def work(twin):
        async with over_http(server, mode, f"/mcp/ana?toolset={toolset}") as client:
            await every_example(client, toolset, twin)

    with recollect.open(tmp_path / "twin.db", embedder="hash") as memory:
        drive(work, memory.space("ana"))


@pytest.mark.parametrize("mode", ERAS)
def test_a_tool_is_declared_with_its_own_schema_and_all_four_annotations(server, mode):
    async def work():
        for toolset in registry.toolsets():
            async with over_http(server, mode, f"/mcp/ana?toolset={toolset}") as client:
                for listed in (await client.list_tools()).tools:
                    tool = registry.get(listed.name, toolset)
                    assert listed.description == tool.purpose
                    assert listed.input_schema == json.loads(json.dumps(dict(tool.parameters)))
                    hints = listed.annotations
                    assert hints.read_only_hint is tool.annotations.read_only
                    assert hints.destructive_hint is tool.annotations.destructive
                    assert hints.idempotent_hint is tool.annotations.idempotent
                    assert hints.open_world_hint is False

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_an_error_reaches_the_model_in_words_it_can_act_on(server, mode):
    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            missing = await client.call_tool("get", {"name": "nobody"})
            odd = await client.call_tool("recall", {"query": 3})
            unknown = await client.call_tool("remembr", {"content": "x"})
        assert missing.is_error
        assert "there is no entry 'nobody'" in text_of(missing)
        assert odd.is_error
        assert "query" in text_of(odd)
        assert unknown.is_error
        assert "did you mean 'remember'" in text_of(unknown)

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_a_toolset_that_is_not_there_is_told_to_the_host_and_to_the_model(tmp_path, mode):
    async def work():
        async with over_stdio(tmp_path / "agent.db", mode, "--toolset", "note") as client:
            with pytest.raises(MCPError, match="did you mean 'notes'"):
                await client.list_tools()
            called = await client.call_tool("memory_search", {"query": "seats"})
        assert called.is_error
        assert "did you mean 'notes'" in text_of(called)

    drive(work)


def test_no_settings_are_printed_for_a_toolset_that_is_not_there():
    words = ["mcp", "--print-config", "codex", "--toolset", "note"]

    done = CliRunner().invoke(cli, words)

    assert done.exit_code == 2
    assert "did you mean 'notes'" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("mode", ERAS)
def test_what_breaks_inside_is_not_shown_to_the_model(tmp_path, mode, caplog):
    """The memory is closed under the server: the client learns that, and nothing else."""

    async def work(server):
        async with over_http(server, mode, "/mcp/ana") as client:
            await client.call_tool("remember", SEAT)
            server.opening.close()
            broken = await client.call_tool("recall", {"query": "seats"})
        assert broken.is_error
        assert "its log says why" in text_of(broken)
        assert "Traceback" not in text_of(broken)

    with running(tmp_path) as server:
        drive(work, server)
    assert "tool recall broke" in caplog.text


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_that_asks_for_progress_hears_of_it(server, mode):
    heard = []

    async def note(progress, total, message):
        heard.append(message)

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            result = await client.call_tool("remember", SEAT, progress_callback=note)
            assert not result.is_error

    drive(work)
    assert heard
    assert heard[0] == "remember is at work"


# --- what a connection reaches ----------------------------------------------------------------


@pytest.mark.parametrize("mode", ERAS)
def test_two_spaces_over_one_server_never_see_each_other(server, mode):
    """Canaries are written in both; everything that a client can read shows its own only."""

    async def everything(client):
        seen = []
        for tool in registry.toolset("default"):
            for example in tool.examples:
                seen.append(repr(await client.call_tool(tool.name, dict(example))))
        seen.append(repr(await client.call_tool("recall", {"query": "canary likes window seats"})))
        cursor = None
        while True:
            page = await client.list_resources(cursor=cursor)
            for each in page.resources:
                seen.append(repr(each) + repr(await client.read_resource(each.uri)))
            cursor = page.next_cursor
            if cursor is None:
                break
        for name in ("recall", "catch_up", "tidy"):
            given = {"question": "canary"} if name == "recall" else {}
            seen.append(repr(await client.get_prompt(name, given)))
        template = types.ResourceTemplateReference(uri="recollect://entries/{name}")
        seen.append(repr(await client.complete(template, {"name": "name", "value": ""})))
        return "".join(seen)

    async def work():
        seen = {}
        for name in ("ana", "bob"):
            space = server.memory().space(name)
            space.remember(f"canary-{name} likes window seats", name=f"canary-{name}")
            space.session(f"canary-{name}").append("user", f"canary-{name} speaks")
            space.session("default").append("user", f"canary-{name} speaks here")
        for name in ("ana", "bob"):
            token = server.tokens.add(name, name).token
            async with over_http(server, mode, "/mcp", token=token) as client:
                seen[name] = await everything(client)
        assert "canary-ana" in seen["ana"]
        assert "canary-bob" not in seen["ana"]
        assert "canary-bob" in seen["bob"]
        assert "canary-ana" not in seen["bob"]

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_no_argument_of_a_tool_chooses_another_space(server, mode):
    server.memory().space("bob").remember("canary-bob", name="secret")

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            for extra in ({"space": "bob"}, {"agent_id": "bob"}, {"toolset": "notes"}):
                result = await client.call_tool("get", {"name": "secret", **extra})
                assert result.is_error
                assert "canary" not in text_of(result)

    drive(work)


def test_a_session_of_the_older_protocol_is_of_no_use_with_another_token(server):
    """Somebody learnt the id of a session; its own token still decides."""
    opened = server.ask("POST", "/mcp/ana", initialize(), accept=True)
    session = opened.headers["mcp-session-id"]
    other = server.tokens.add("bob", "bob").token
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}

    own = server.ask("POST", "/mcp/ana", listing, accept=True, session=session)
    foreign = server.ask("POST", "/mcp/bob", listing, other, accept=True, session=session)

    assert (opened.status, own.status, foreign.status) == (200, 200, 404)


def initialize():
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def test_an_unknown_toolset_or_parameter_in_the_url_is_refused(server):
    for place in ("/mcp/ana?toolset=nothing", "/mcp/ana?colour=red", "/mcp/ana/more"):
        assert server.ask("POST", place, initialize(), accept=True).status in (400, 404)


# --- resources and prompts --------------------------------------------------------------------


@pytest.mark.parametrize("mode", ERAS)
def test_entries_sessions_and_summaries_are_resources(server, mode):
    space = server.memory().space("ana")
    space.remember(SEAT["content"], name=SEAT["name"])
    chat = space.session("trip")
    for number in range(6):
        chat.append("user", f"Message {number}")
    chat.summarize(force=True)

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            first = await client.list_resources()
            rest = await client.list_resources(cursor=first.next_cursor)
            listed = [each.uri for each in (*first.resources, *rest.resources)]
            assert listed == [ADDRESS, "recollect://sessions/trip", "recollect://summaries/trip"]
            read = [(await client.read_resource(uri)).contents[0] for uri in listed]
            assert read[0].text == "Prefers window seats"
            said = [each["content"] for each in json.loads(read[1].text)]
            assert [each for each in said if each][:2] == ["Message 0", "Message 1"]
            assert "Message" in read[2].text
            templates = (await client.list_resource_templates()).resource_templates
            assert [each.uri_template for each in templates] == [
                "recollect://entries/{name}",
                "recollect://sessions/{session}",
                "recollect://summaries/{session}",
            ]

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    "uri",
    [
        "recollect://entries/nobody",
        "recollect://entries/",
        "recollect://sessions/nobody",
        "recollect://summaries/nobody",
        "recollect://other/x",
        "recollect://entries/a/b",
        "recollect://entries/%00",
        "recollect://entries/%ff",
        "file:///etc/passwd",
    ],
)
def test_an_unknown_resource_is_an_error_of_the_client(server, mode, uri):
    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            with pytest.raises(MCPError) as told:
                await client.read_resource(uri)
            assert told.value.error.code == types.INVALID_PARAMS

    drive(work)


def test_the_list_of_resources_is_paged(space):
    for number in range(resources.PAGE + 5):
        space.remember(f"text {number}", name=f"n{number}")
    space.session("trip").append("user", "hello")

    seen, cursor, pages = [], None, 0
    while cursor is not None or pages == 0:
        listed, cursor = resources.page(space, cursor)
        seen += [each.uri for each in listed]
        pages += 1

    assert pages == 3
    assert len(seen) == len(set(seen)) == resources.PAGE + 6


@pytest.mark.parametrize("cursor", ["bogus", "sessions:zzz", "sessions:-1", "entries:nobody"])
def test_a_cursor_of_somebody_else_is_refused(space, cursor):
    space.remember("text", name="n")

    with pytest.raises((InvalidInput, NotFound)):
        resources.page(space, cursor)


@pytest.mark.parametrize("mode", ERAS)
def test_a_memory_that_cannot_be_opened_tells_a_client_nothing_of_the_file(tmp_path, mode, caplog):
    (tmp_path / "agent.db").write_bytes(b"this is no memory" * 1_000)

    async def work(server):
        async with over_http(server, mode, "/mcp/ana") as client:
            called = await client.call_tool("recall", {"query": "seats"})
            with pytest.raises(MCPError) as listed:
                await client.list_resources()
        assert called.is_error
        assert "try again later" in text_of(called)
        assert listed.value.code == types.INTERNAL_ERROR
        assert "agent.db" not in text_of(called) + str(listed.value)

    with running(tmp_path) as server:
        drive(work, server)
    assert "agent.db" in caplog.text


def test_a_space_without_a_name_is_told_to_the_model(server):
    async def work():
        async with over_http(server, "auto", "/mcp/%20") as client:
            called = await client.call_tool("recall", {"query": "seats"})
        assert called.is_error
        assert "space is blank" in text_of(called)

    drive(work)
    assert server.ask("POST", "/mcp/%FF", {}, accept=True).status == 400


@pytest.mark.parametrize("mode", ERAS)
def test_every_prompt_is_described_and_filled_in(server, mode):
    server.memory().space("ana").remember(SEAT["content"], name="seat")

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            listed = (await client.list_prompts()).prompts
            assert [each.name for each in listed] == [each.name for each in prompts.PROMPTS]
            for each in listed:
                assert each.description
                given = {argument.name: "window seats" for argument in each.arguments or ()}
                assert all(argument.description for argument in each.arguments or ())
                found = await client.get_prompt(each.name, given)
                assert found.messages[0].content.text
            recalled = await client.get_prompt("recall", {"question": "window seats"})
            assert "> Prefers window seats" in recalled.messages[0].content.text
            with pytest.raises(MCPError, match="question"):
                await client.get_prompt("recall", {})
            with pytest.raises(MCPError, match="there is no prompt"):
                await client.get_prompt("nothing", {})

    drive(work)


@pytest.mark.parametrize("mode", ERAS)
def test_names_are_completed(server, mode):
    space = server.memory().space("ana")
    for name in ("seat", "season", "other"):
        space.remember(name, name=name)
    space.session("sea trip").append("user", "hello")

    async def work():
        async with over_http(server, mode, "/mcp/ana") as client:
            entries = types.ResourceTemplateReference(uri="recollect://entries/{name}")
            found = await client.complete(entries, {"name": "name", "value": "sea"})
            assert sorted(found.completion.values) == ["season", "seat"]
            prompt = types.PromptReference(name="catch_up")
            found = await client.complete(prompt, {"name": "session", "value": "sea"})
            assert found.completion.values == ["sea trip"]

    drive(work)


# --- notices ----------------------------------------------------------------------------------


async def until(stream, wanted):
    """Read notices until the wanted one comes."""
    with anyio.fail_after(20):
        async for event in stream:
            if event == wanted:
                return


def test_who_listens_is_told_what_changed_in_its_own_space_only(server):
    async def work():
        async with (
            over_http(server, "auto", "/mcp/ana") as ana,
            over_http(server, "auto", "/mcp/bob") as bob,
        ):
            kinds = {"resources_list_changed": True, "resource_subscriptions": [ADDRESS]}
            async with ana.listen(**kinds) as at_ana, bob.listen(**kinds) as at_bob:
                await ana.call_tool("remember", SEAT)
                await until(at_ana, ResourcesListChanged())
                await until(at_ana, ResourceUpdated(uri=ADDRESS))
                # What bob hears first is his own write, though ana wrote before.
                await bob.call_tool("remember", {"content": "x", "name": "other"})
                with anyio.fail_after(20):
                    async for event in at_bob:
                        assert event == ResourcesListChanged()
                        break

    drive(work)


def test_reading_and_writing_something_else_is_no_news_of_a_resource(server):
    async def work():
        async with over_http(server, "auto", "/mcp/ana") as client:
            await client.call_tool("remember", SEAT)
            async with client.listen(resource_subscriptions=[ADDRESS]) as stream:
                await client.call_tool("recall", {"query": "seats"})
                await client.call_tool("remember", {"content": "x", "name": "other"})
                changed = {**SEAT, "content": "Prefers the aisle"}
                await client.call_tool("remember", changed)
                with anyio.fail_after(20):
                    async for event in stream:
                        assert event == ResourceUpdated(uri=ADDRESS)
                        break
                read = await client.read_resource(ADDRESS)
                assert read.contents[0].text == "Prefers the aisle"

    drive(work)


def test_a_write_over_http_is_news_for_those_who_listen_over_mcp(server):
    async def work():
        async with (
            over_http(server, "auto", "/mcp/ana") as client,
            client.listen(resource_subscriptions=[ADDRESS]) as stream,
        ):
            write = partial(server.call, "ana", "remember", **SEAT)
            await anyio.to_thread.run_sync(write)
            await until(stream, ResourceUpdated(uri=ADDRESS))

    drive(work)


@pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")  # the client's own words for it
def test_subscribers_of_the_older_protocol_are_told_too(tmp_path):
    heard = []

    async def work():
        told = anyio.Event()

        async def note(message):
            if isinstance(message, types.ResourceUpdatedNotification):
                heard.append(str(message.params.uri))
                told.set()

        path = tmp_path / "agent.db"
        async with over_stdio(path, "legacy", message_handler=note) as client:
            await client.subscribe_resource(ADDRESS)
            await client.call_tool("remember", SEAT)
            await told.wait()
            await client.unsubscribe_resource(ADDRESS)
            await client.call_tool("remember", {**SEAT, "content": "Prefers the aisle"})
            await client.list_tools()  # a notice would have come before this answer

    drive(work)
    assert heard == [ADDRESS]


# --- asking the user --------------------------------------------------------------------------


def answering(action, confirm, asked):
    async def answer(_, params):
        asked.append(params.message)
        content = {"confirm": confirm} if action == "accept" else None
        return types.ElicitResult(action=action, content=content)

    return answer


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("action", "confirm", "is_removed"),
    [
        ("accept", True, True),
        ("accept", False, False),
        ("decline", None, False),
        ("cancel", None, False),
    ],
)
def test_the_user_is_asked_before_a_directory_is_deleted(server, mode, action, confirm, is_removed):
    asked = []
    place = "/mcp/ana?toolset=anthropic"

    async def work():
        rest = {"elicitation_callback": answering(action, confirm, asked)}
        async with over_http(server, mode, place, **rest) as client:
            for name in ("a", "b"):
                made = {"command": "create", "path": f"/memories/trip/{name}.md", "file_text": name}
                await client.call_tool("memory", made)
            gone = {"command": "delete", "path": "/memories/trip"}
            result = await client.call_tool("memory", gone)
            assert result.is_error is not is_removed
            if not is_removed:
                assert "the user said no" in text_of(result)

    drive(work)
    assert asked == ["memory removes 2 things at once, for good. Go on?"]
    assert len(server.memory().space("ana").entries()) == (0 if is_removed else 2)


@pytest.mark.parametrize("mode", ERAS)
def test_one_file_is_deleted_without_a_question_and_so_is_all_where_nobody_can_be_asked(
    server, mode
):
    asked = []

    async def work():
        rest = {"elicitation_callback": answering("decline", None, asked)}
        place = "/mcp/ana?toolset=anthropic"
        async with over_http(server, mode, place, **rest) as client:
            made = {"command": "create", "path": "/memories/a.md", "file_text": "a"}
            await client.call_tool("memory", made)
            gone = await client.call_tool("memory", {"command": "delete", "path": "/memories/a.md"})
            assert not gone.is_error
        async with over_http(server, mode, "/mcp/ana?toolset=notes") as client:
            await client.call_tool("scratchpad_write", {"items": ["one", "two"]})
            assert not (await client.call_tool("scratchpad_clear", {})).is_error

    drive(work)
    assert asked == []


def test_an_answer_to_another_question_is_no_answer(server):
    """The state of a question is sealed with the call and the space it was asked for."""
    space = server.memory().space("ana")
    for name in ("a", "b", "c"):
        space.remember(name, name=f"/memories/trip/{name}.md", category="memories")

    async def work():
        rest = {"elicitation_callback": answering("accept", True, [])}
        place = "/mcp/ana?toolset=anthropic"
        async with over_http(server, "auto", place, **rest) as client:
            call = {"command": "delete", "path": "/memories/trip"}
            yes = {"confirm": types.ElicitResult(action="accept", content={"confirm": True})}
            for state in (None, "confirm", "v1.forged"):
                with contextlib.suppress(MCPError):
                    result = await client.session.call_tool(
                        "memory",
                        call,
                        input_responses=yes,
                        request_state=state,
                        allow_input_required=True,
                    )
                    assert isinstance(result, types.InputRequiredResult)
        assert len(space.entries()) == 3

    drive(work)


# --- stdio ------------------------------------------------------------------------------------


def messages(process, *sent):
    """Send lines to a server by hand and read as many back."""
    for each in sent:
        process.stdin.write(json.dumps(each).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@contextlib.contextmanager
def started(path, *words):
    with subprocess.Popen(
        command("mcp", "--db", str(path), *words),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        limit = threading.Timer(60, process.kill)  # a server that hangs fails the test
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            process.kill()


def called(tool, given):
    params = {"name": tool, "arguments": given}
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def test_nothing_but_messages_goes_to_stdout_and_the_end_of_input_ends_it(tmp_path):
    path = tmp_path / "agent.db"
    with started(path, "--space", "ana") as process:
        hello = messages(process, initialize())
        kept = messages(process, READY, called("remember", SEAT))
        process.stdin.close()
        rest, noise = process.stdout.read(), process.stderr.read()
        code = process.wait()

    assert hello["result"]["serverInfo"]["name"] == "recollect"
    assert kept["result"]["structuredContent"]["name"] == "travel/seat"
    assert (rest, noise, code) == (b"", b"", 0)
    assert [each.name for each in tmp_path.iterdir()] == ["agent.db"]  # closed: one file is left


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_closes_the_memory(tmp_path, number):
    with started(tmp_path / "agent.db") as process:
        messages(process, initialize())
        messages(process, READY, called("remember", SEAT))
        process.send_signal(number)

        assert process.wait() == 128 + number

    assert [each.name for each in tmp_path.iterdir()] == ["agent.db"]


def test_the_server_goes_when_its_client_is_killed(tmp_path):
    """A client in a process of its own starts the server, writes, and dies by SIGKILL."""
    script = (
        "import json, os, signal, subprocess, sys\n"
        f"words = {command('mcp', '--db', str(tmp_path / 'agent.db'))!r}\n"
        "server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        f"for each in {[initialize(), READY, called('remember', SEAT)]!r}:\n"
        "    server.stdin.write(json.dumps(each).encode() + b'\\n')\n"
        "server.stdin.flush()\n"
        "for _ in range(2):\n"
        "    print(server.stdout.readline().decode(), end='', flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    words = [sys.executable, "-c", script]
    with subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as client:
        answers = [json.loads(client.stdout.readline()) for _ in range(2)]
        noise = client.stderr.read()  # the server has it too: it ends when the last of them is gone

    assert client.returncode == -signal.SIGKILL
    assert [each["id"] for each in answers] == [1, 2]
    assert noise == b""
    with recollect.open(tmp_path / "agent.db", embedder="none") as memory:
        assert memory.space("default").get("travel/seat") is not None
        assert memory.check() == []


def test_a_host_is_greeted_before_anything_heavy_is_imported():
    """A host waits for the handshake: store, models and registry come with the first request."""
    script = (
        "import sys\n"
        "from recollect.surfaces.mcp.server import build\n"
        "from recollect.surfaces.mcp.stdio import serve\n"
        "from recollect.surfaces.opening import Opening\n"
        "build(Opening(lambda: None), lambda _: None)\n"
        "heavy = ('numpy', 'onnxruntime', 'apsw', 'recollect.memory', 'recollect.surfaces.tools')\n"
        "print(*[name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**environment(), "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == []


def test_the_verb_starts_alone_and_tells_of_a_mistake_like_every_other():
    """`start` imports no other verb, unless there is something to say."""
    script = (
        "import sys\n"
        "from recollect.surfaces.commands_serve import start\n"
        "start(sys.argv[1:])\n"
        "assert 'recollect.surfaces.cli' not in sys.modules\n"
    )

    def run(*words):
        return subprocess.run(
            [sys.executable, "-c", script, *words],
            env={**environment(), "RECOLLECT_SPACE": "bob"},
            capture_output=True,
            text=True,
            check=False,
        )

    told = run("mcp", "--print-config", "cursor", "--quiet")
    wrong = run("mcp", "--colour")

    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["mcpServers"]["recollect"]["args"][-2:] == ["--space", "bob"]
    assert wrong.returncode == 2
    assert "--colour" in wrong.stderr


# --- hosts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", HOSTS)
def test_the_settings_of_a_host_start_the_server(host):
    words = ["mcp", "--db", "/data/my agent.db", "--space", "ana 🦊"]

    text = configuration(host, words)

    if host == "claude-code":
        assert text.startswith("claude mcp add recollect -- ")
        assert "'/data/my agent.db'" in text
        return
    if host == "codex":
        import tomllib

        found = tomllib.loads(text)["mcp_servers"]["recollect"]
    else:
        [servers] = json.loads(text).values()
        found = servers["recollect"]
    assert found["args"][-len(words) :] == words
    assert found["command"]
