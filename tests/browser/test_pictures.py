"""The pictures of the README and the docs, drawn from a fixed memory at a fixed time."""

import os
from pathlib import Path

import pytest
import year
from test_inspector import VIEWS

from conftest import IS_WHOLE, log_in, serve, show

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
IN_DOCS = ("search", "entry")
WIDTHS = (320, 800, 1600)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """A year without hostile texts, with the vectors that people have."""
    path = tmp_path_factory.mktemp("quiet") / "year.db"
    year.build(path, messages=400, entries=60, hostile=False, embedder="bundled")
    return path


@pytest.mark.skipif(not IS_WHOLE, reason="pictures of all views: run make browser")
def test_pictures_of_every_view_are_drawn(browser, tmp_path, quiet, request):
    """All of them go to build/pictures, to be looked at."""
    folder = Path(request.config.rootpath) / "build" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with serve(tmp_path, quiet, embedder="bundled") as site:
        for width in WIDTHS:
            page = log_in(browser, site, viewport={"width": width, "height": 900})
            for name, (view, params) in VIEWS.items():
                show(page, site, view, **params)
                page.screenshot(path=folder / f"{name}-{width}.png", full_page=True)
            page.context.close()

    assert len(list(folder.glob("*.png"))) >= len(VIEWS) * len(WIDTHS)


def test_the_pictures_of_the_docs_are_drawn(browser, tmp_path, quiet):
    """With TAKE_PICTURES=1, which `make pictures` sets, they replace those of the docs."""
    target = PICTURES if os.environ.get("TAKE_PICTURES") else tmp_path
    with serve(tmp_path, quiet, writes=False, embedder="bundled") as site:
        page = log_in(browser, site, viewport={"width": 1120, "height": 900})
        for name in IN_DOCS:
            view, params = VIEWS[name]
            if name == "search":
                params = {"q": "which seat does Ana have for Oslo?"}
            show(page, site, view, **params)
            if name == "search":
                page.locator("summary", has_text="Why it scored").nth(1).click()
            page.screenshot(path=target / f"{name}.png")
        page.context.close()

    assert all((target / f"{name}.png").stat().st_size < 150_000 for name in IN_DOCS)
