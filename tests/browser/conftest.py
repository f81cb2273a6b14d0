"""A real Chromium, a real server over a year of memory, and a page that is logged in.

Where no browser is found these tests are skipped, with the reason; REQUIRE_BROWSER=1, which
continuous integration sets, makes that a failure.
"""

import contextlib
import itertools
import os
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import year

import ricordo
from ricordo.surfaces.http.app import ServeOptions, application
from ricordo.surfaces.http.inspector import make_link
from ricordo.surfaces.server.lazy_memory import LazyMemory
from ricordo.surfaces.server.logins import Logins
from ricordo.surfaces.server.tokens import Tokens

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
)
IS_WHOLE = os.environ.get("BROWSER_TIER") == "all"  # `make browser`


def find_browser() -> str | None:
    """The browser to use: the one that is named, or one on the path."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


def refuse(reason: str) -> None:
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = find_browser()
    if path is None:
        refuse("no Chromium was found; run: make browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        refuse("playwright is not installed; run: make browser")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year of memory, built once; short where `make browser` did not ask for all of it."""
    path = tmp_path_factory.mktemp("year") / "year.db"
    size = {} if IS_WHOLE else {"messages": 1_000, "entries": 60}
    year.build(path, **size)
    return path


@dataclass
class Site:
    """A server with the inspector, in this process, that can be stopped and started again."""

    folder: Path
    writes: bool = True
    embedder: str = "hash"
    port: int = 0
    tokens: Tokens = field(init=False)
    logins: Logins = field(init=False)
    _stop: Any = None

    def __post_init__(self) -> None:
        self.tokens = Tokens(self.folder / "tokens.json")
        self.tokens.ensure()
        self.logins = Logins(self.tokens, writes=self.writes)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory(self) -> ricordo.Memory:
        return self._opening.memory()

    def link(self, token: str = "default") -> str:
        found = next(each for each in self.tokens.read() if each.name == token)
        grant = found.grant()
        db = str(self.folder / "agent.db") if grant.space is None else None
        return make_link(self.url, self.logins, replace(grant, db=db))

    def start(self) -> None:
        path = self.folder / "agent.db"
        self._opening = LazyMemory(lambda: open_year(path, self.embedder))
        app = application(self._opening, ServeOptions(self.tokens, logins=self.logins))
        own = socket.socket()
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind(("127.0.0.1", self.port))
        own.listen()
        self.port = own.getsockname()[1]
        config = uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [own]})
        thread.start()

        def stop() -> None:
            server.should_exit = True
            thread.join(timeout=30)
            own.close()
            self._opening.close()

        self._stop = stop

    def stop(self) -> None:
        if self._stop is not None:
            self._stop()
        self._stop = None


def open_year(path: Path, embedder: str = "hash") -> ricordo.Memory:
    """Each look at the clock is a microsecond later: what is written later also reads as later."""
    ticks = itertools.count()

    def clock() -> datetime:
        return year.NOW + timedelta(microseconds=next(ticks))

    return ricordo.open(path, embedder=embedder, keep=False, clock=clock)


@contextlib.contextmanager
def serve(
    folder: Path, built: Path | None, *, writes: bool = True, embedder: str = "hash"
) -> Iterator[Site]:
    if built is not None:
        shutil.copy(built, folder / "agent.db")
    site = Site(folder, writes, embedder)
    site.start()
    try:
        yield site
    finally:
        site.stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Site]:
    with serve(tmp_path_factory.mktemp("site"), built) as site:
        yield site


class Watch:
    """What a page must never do: report an error, load from elsewhere, run what was stored."""

    def __init__(self, page: Any, url: str) -> None:
        self.faults: list[str] = []
        page.on("console", lambda m: self._hear(m.type, m.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("dialog", lambda dialog: self.faults.append(f"dialog {dialog.message}"))
        page.on("request", lambda r: r.url.startswith(url) or self.faults.append(r.url))

    def _hear(self, kind: str, text: str) -> None:
        # A name that nothing has is an answer, which browsers report like a fault.
        if kind == "error" and "status of 404" not in text:
            self.faults.append(text)


def log_in(browser: Any, site: Site, token: str = "default", **options: Any) -> Any:
    """A page of a browser of its own, logged in, whose clock stands at the end of the year."""
    options = {"viewport": {"width": 1280, "height": 900}, "timezone_id": "UTC", **options}
    context = browser.new_context(**options)
    context.clock.install(time=year.NOW)
    page = context.new_page()
    page.watch = Watch(page, site.url)
    page.goto(site.link(token))
    page.wait_for_selector("[data-ready]")
    return page


def show(page: Any, site: Site, view: str, **params: object) -> None:
    """Open a view by its address, and wait until it is drawn."""
    from urllib.parse import urlencode

    page.goto(f"{site.url}/ui/?{urlencode({'view': view, 'space': year.SPACE, **params})}")
    page.wait_for_selector(f"ri-{view}[data-ready]")


@pytest.fixture
def page(browser: Any, site: Site) -> Iterator[Any]:
    opened = log_in(browser, site)
    yield opened
    opened.context.close()
