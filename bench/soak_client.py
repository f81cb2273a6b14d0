"""A client of the soaked server: over HTTP or MCP, with hooks, hanging up, or asking nonsense.

    python bench/soak_client.py http 3 --url http://127.0.0.1:8765 --token rcl_… \\
        --seconds 60 --tally tally.json
"""

import argparse
import http.client
import itertools
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from urllib.parse import quote, urlsplit

from common import Talk

SPACES = 6
ENTRIES = 60  # that one client leaves in one space
VERSION = "2025-11-25"


class Client:
    """What all of them share: a connection, a ring of names, and a tally of answers."""

    def __init__(self, number: int, url: str, token: str, db: Path) -> None:
        self.db = db
        self.address = (urlsplit(url).hostname or "", urlsplit(url).port or 0)
        self.token, self.mine = token, f"c{number}"
        self.talk, self.random = Talk(number), random.Random(number)
        self.turns: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self._link = http.client.HTTPConnection(*self.address, timeout=60)

    def headers(self, **more: str) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): value for name, value in more.items()},
        }

    def ask(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> http.client.HTTPResponse:
        """One request; the answer has been read to its end and hangs on the response."""
        sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            self._link.request(method, path, sent, self.headers(**headers))
            reply = self._link.getresponse()
            reply.text = reply.read()  # type: ignore[attr-defined]
        except (OSError, http.client.HTTPException):
            self._link.close()
            raise
        return reply

    def expect(self, what: str, reply: http.client.HTTPResponse, *statuses: int) -> None:
        self.done[what] += 1
        is_error = b'"isError":true' in reply.text  # type: ignore[attr-defined]
        if reply.status not in statuses or is_error:  # MCP says 200 to a tool that failed
            self.wrong[f"{what}: {reply.status} {reply.text[:100]!r}"] += 1  # type: ignore[attr-defined]

    def space(self) -> str:
        return f"s{self.random.randrange(SPACES)}"

    def name(self, space: str) -> tuple[str, bool]:
        """The next name of a ring, and whether it has to be forgotten first."""
        turn = self.turns[space]
        self.turns[space] += 1
        return f"{self.mine}-{turn % ENTRIES}", turn >= ENTRIES

    def work(self) -> None:
        raise NotImplementedError


class Http(Client):
    def work(self) -> None:
        space = self.space()
        base, query = f"/v1/spaces/{space}", quote(self.talk.query())
        kind = self.random.choice(("recall", "recall", "recall", "remember", "remember", "read"))
        if kind == "recall":
            self.expect(kind, self.ask("GET", f"{base}/recall?q={query}"), 200)
        elif kind == "remember":
            name, is_taken = self.name(space)
            if is_taken:
                gone = self.ask("POST", f"{base}/tools/forget", {"name": name})
                self.expect("forget", gone, 200)
            said = {"content": self.talk.text(), "name": name, "tags": ["soak"]}
            self.expect(kind, self.ask("POST", f"{base}/tools/remember", said), 200)
        else:
            chat = f"{base}/sessions/chat"
            paths = (f"{base}/entries?limit=20", f"{base}/stats", f"{chat}/events?limit=20",
                     f"{chat}/context?q={query}", f"{base}/sessions", "/healthz")  # fmt: skip
            self.expect(kind, self.ask("GET", self.random.choice(paths)), 200)


class Chat(Client):
    """Keeps a conversation through the server; what it says comes round again."""

    def work(self) -> None:
        base = f"/v1/spaces/{self.space()}/sessions/{self.mine}"
        self.turns[base] += 1
        turn, talk = self.turns[base], Talk(self.turns[base] % ENTRIES)
        said = {"role": "user", "content": talk.text(), "key": f"{self.mine}-{turn}"}
        self.expect("append", self.ask("POST", f"{base}/events", said), 200)
        self.expect("append again", self.ask("POST", f"{base}/events", said), 200)
        asked = {"query": talk.query(), "budget": 1_000}
        self.expect("context", self.ask("POST", f"{base}/context", asked), 200)
        told = {"messages": [{"role": "assistant", "content": talk.text()}]}
        self.expect("extend", self.ask("POST", f"{base}/extend", told), 200)
        if turn % 10 == 0:
            lines = {"lines": [f"turn {turn}"]}
            self.expect("scratchpad", self.ask("POST", f"{base}/scratchpad", lines), 200)
            self.expect("summarize", self.ask("POST", f"{base}/summarize", {}), 200)


class Hooks(Client):
    """A coding host beside the server: a process for each event, on the same file."""

    def work(self) -> None:
        self.turns["hooks"] += 1
        talk = Talk(self.turns["hooks"] % ENTRIES)
        told = {"session_id": f"h{self.turns['hooks'] % SPACES}", "cwd": str(self.db.parent)}
        self.hook("SessionStart", told)
        self.hook("UserPromptSubmit", told | {"prompt": talk.text()})
        tool = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "a"}
        self.hook("PostToolUse", told | tool)
        self.hook("Stop", told | {"last_assistant_message": talk.text()})
        self.hook("SessionEnd", told)

    def hook(self, event: str, told: dict[str, object]) -> None:
        environ = {**os.environ, "RICORDO_DB": str(self.db), "RICORDO_SPACE": self.space()}
        done = subprocess.run(
            [sys.executable, "-m", "ricordo", "hook", event],
            input=json.dumps(told), capture_output=True, text=True, env=environ, check=False,
        )  # fmt: skip
        self.done[f"hook {event}"] += 1
        if done.returncode or done.stderr:
            self.wrong[f"hook {event}: {done.returncode} {done.stderr:.200}"] += 1


class Mcp(Client):
    """Opens a session, calls tools, watches something, and ends it; one in ten is just left."""

    def work(self) -> None:
        path, numbers = f"/mcp/{self.space()}", itertools.count(1)

        def call(method: str, **params: object) -> http.client.HTTPResponse:
            body = {"jsonrpc": "2.0", "id": next(numbers), "method": method, "params": params}
            return self.ask("POST", path, body, **session)

        session: dict[str, str] = {}
        hello = call("initialize", protocolVersion=VERSION, capabilities={},
                     clientInfo={"name": "soak", "version": "1"})  # fmt: skip
        self.expect("initialize", hello, 200)
        session = {"Mcp_Session_Id": hello.headers["mcp-session-id"] or "",
                   "MCP_Protocol_Version": VERSION}  # fmt: skip
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self.expect("initialized", self.ask("POST", path, ready, **session), 202)
        self.expect("list", call("tools/list"), 200)
        name, is_taken = self.name(path)
        watched = call("resources/subscribe", uri=f"ricordo://entries/{name}")
        self.expect("subscribe", watched, 200)
        if is_taken:
            self.expect("forget", call("tools/call", name="forget", arguments={"name": name}), 200)
        said = {"content": self.talk.text(), "name": name}
        self.expect("remember", call("tools/call", name="remember", arguments=said), 200)
        asked = {"query": self.talk.query()}
        for _ in range(3):
            self.expect("recall", call("tools/call", name="recall", arguments=asked), 200)
        if self.random.random() < 0.9:
            self.expect("end", self.ask("DELETE", path, **session), 200, 204)


class Dropping(Client):
    """Hangs up in the head, in the body, or before it has read the answer."""

    def work(self) -> None:
        body = json.dumps({"content": self.talk.text(), "name": f"{self.mine}-dropped"}).encode()
        path = f"/v1/spaces/{self.space()}/tools/remember"
        head = [f"POST {path} HTTP/1.1", f"Host: {self.address[0]}:{self.address[1]}",
                f"Content-Length: {len(body)}",
                *(f"{name}: {value}" for name, value in self.headers().items())]  # fmt: skip
        sent = "\r\n".join([*head, "", ""]).encode() + body
        kind, end = self.random.choice(
            (("in the head", 40), ("in the body", len(sent) - 20), ("unread", len(sent)))
        )
        with socket.create_connection(self.address, timeout=60) as link:
            link.sendall(sent[:end])
        self.done[f"hung up {kind}"] += 1


class Bad(Client):
    """Asks what has to be refused, by a status from 400 to 499."""

    def work(self) -> None:
        base = f"/v1/spaces/{self.space()}"
        remember = f"{base}/tools/remember"
        refused = {
            "no JSON": lambda: self.ask("POST", remember, b"{no json"),
            "a wrong type": lambda: self.ask("POST", remember, {"content": 7}),
            "too long": lambda: self.ask("POST", remember, {"content": "x" * 5_000_000}),
            "no such tool": lambda: self.ask("POST", f"{base}/tools/nothing", {}),
            "a wrong limit": lambda: self.ask("GET", f"{base}/recall?q=x&limit=many"),
            "no such entry": lambda: self.ask("GET", f"{base}/entries/not-there"),
            "no such token": lambda: self.ask("GET", base, Authorization="Bearer nobody"),
            "a wrong method": lambda: self.ask("PUT", f"{base}/stats", b""),
            "no such session": lambda: self.ask("POST", "/mcp", b"[]", Mcp_Session_Id="nobody"),
        }
        kind = self.random.choice(list(refused))
        try:
            self.expect(f"refused: {kind}", refused[kind](), *range(400, 500))
        except (BrokenPipeError, ConnectionResetError):
            self.done[f"refused: {kind}"] += 1  # what is too long is not read to its end


ROLES: dict[str, type[Client]] = {
    "http": Http, "chat": Chat, "hooks": Hooks, "mcp": Mcp, "dropping": Dropping, "bad": Bad
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("role", choices=ROLES)
    parser.add_argument("number", type=int)
    parser.add_argument("--url", required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--think", type=float, default=0.1)
    parser.add_argument("--tally", type=Path, required=True)
    given = parser.parse_args()
    db = given.tally.parent / "server.db"
    client = ROLES[given.role](given.number, given.url, given.token, db)
    until = time.monotonic() + given.seconds
    while time.monotonic() < until:
        try:
            client.work()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted and shown
            client.wrong[f"{given.role}: {type(error).__name__}: {error!s:.100}"] += 1
        time.sleep(given.think * client.random.random() * 2)
    given.tally.write_text(json.dumps({"done": client.done, "wrong": client.wrong}))


if __name__ == "__main__":
    main()
