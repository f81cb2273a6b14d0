"""The inspector in a real browser, over a year of memory with hostile texts in it."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import year

from conftest import IS_WHOLE, log_in, serve, show

AXE = "axe_core_python"
QUESTION = "which seat does Ana prefer?"
VIEWS: dict[str, tuple[str, dict[str, str]]] = {
    "home": ("home", {}),
    "search": ("search", {"q": QUESTION}),
    "miss": ("miss", {"q": QUESTION, "target": "oslo"}),
    "context": ("context", {"session": "trip", "q": QUESTION, "budget": "700"}),
    "conversations": ("session", {}),
    "conversation": ("session", {"session": "trip"}),
    "entries": ("entry", {}),
    "entry": ("entry", {"name": "seat"}),
    "dreams": ("dreams", {}),
    "time": ("time", {}),
    "documents": ("documents", {}),
    "document": ("documents", {"uri": "handbook.md"}),
    "health": ("health", {}),
}
HOSTILE = {
    "search": ("search", {"q": "hostile", "limit": "100"}),
    "messages": ("session", {"session": "attack"}),
    "entries": ("entry", {"tag": "hostile"}),
    "document": ("documents", {"uri": "<b>evil</b>.md"}),
    "time": ("time", {}),
    "home": ("home", {}),
    "miss": ("miss", {"q": "hostile", "target": year.HOSTILE[1]}),
    "context": ("context", {"session": "attack", "q": "hostile", "budget": "3000"}),
}


def axe_source() -> str:
    import axe_core_python

    return (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """What axe finds, in words; its script is evaluated, which the page's policy permits."""
    page.evaluate(axe_source())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [f"{v['id']}: {[n['target'] for n in v['nodes']][:3]}" for v in found]


# --- every view ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shows_what_is_there_and_nothing_goes_wrong(page, site, name):
    view, params = VIEWS[name]

    show(page, site, view, **params)

    assert page.locator("main h1").inner_text()
    assert page.locator(".problem").count() == 0
    assert page.watch.faults == []


@pytest.mark.parametrize("width", [320, 1280] if IS_WHOLE else [320])
@pytest.mark.parametrize("scheme", ["light", "dark"] if IS_WHOLE else ["light"])
def test_no_view_breaks_a_rule_of_axe(browser, site, scheme, width):
    page = log_in(browser, site, color_scheme=scheme, viewport={"width": width, "height": 900})
    found = {}
    for name, (view, params) in VIEWS.items():
        show(page, site, view, **params)
        for each in page.locator("main details").all():
            each.evaluate("e => e.open = true")
        found[name] = violations(page)
    page.context.close()

    assert {name: told for name, told in found.items() if told} == {}


@pytest.mark.parametrize("width", [320, 800, 1600] if IS_WHOLE else [320])
def test_nothing_is_wider_than_the_screen(browser, site, width):
    page = log_in(browser, site, viewport={"width": width, "height": 800})
    wide = []
    for name, (view, params) in {**VIEWS, **HOSTILE}.items():
        show(page, site, view, **params)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(name)
    page.context.close()

    assert wide == []


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_do_nothing(page, site, name):
    view, params = HOSTILE[name]

    show(page, site, view, **params)

    assert page.evaluate("window.hurt") is None
    assert page.locator("main script, main iframe, main img, main style").count() == 0
    assert page.watch.faults == []


def test_a_line_of_a_million_letters_is_shown_by_a_part(page, site):
    show(page, site, "search", q="hostile", limit=100)

    assert len(page.locator("main").inner_text()) < 200_000


# --- search and what follows from it --------------------------------------------------------------


def test_a_search_marks_the_words_and_explains_the_score(page, site):
    show(page, site, "search", q=QUESTION)
    first = page.locator(".hit").first

    first.locator("summary").first.click()

    assert "seat" in first.locator("mark").all_inner_texts()[-1].lower()
    assert first.locator(".parts tr").count() > 0
    assert page.locator(".hit svg.bar").count() == page.locator(".hit").count()


def test_filters_stand_in_the_address(page, site):
    show(page, site, "search", q=QUESTION)

    page.select_option("select[name=kind]", "note")
    page.wait_for_url("**kind=note**")
    page.wait_for_selector("ri-search[data-ready] .hit")

    assert set(page.locator(".hit .head .tag").all_inner_texts()) == {"note"}


def test_what_is_copied_has_the_filters(page, site):
    show(page, site, "search", q=QUESTION, kind="note", until="2026-06-01")

    page.locator(".copies summary").click()

    told = page.locator(".copies code").all_inner_texts()
    assert "--limit 10 --kind note --until 2026-06-01" in told[0]
    assert 'kinds=["note"]' in told[1]
    assert 'until=datetime.fromisoformat("2026-06-01T00:00:00Z")' in told[1]
    assert "--data-urlencode 'until=2026-06-01'" in told[2]


def test_copied_commands_name_the_memory(page, site):
    for view, words in (("search", "recall"), ("entry", "list"), ("health", "doctor")):
        show(page, site, view, **({"q": QUESTION} if view == "search" else {}))

        page.locator(".copies summary").click()

        told = page.locator(".copies code").first.inner_text()
        assert told.startswith(f"ricordo --db {site.folder / 'agent.db'} ")
        assert f" {words}" in told


def test_memory_as_it_stood_at_a_time_is_a_link(page, site):
    show(page, site, "search", q=QUESTION, kind="note", until="2026-01-01")

    page.click("text=Ask memory as it stood then")
    page.wait_for_url("**as_of=2026-01-01**")
    page.wait_for_selector("ri-search[data-ready] .hit")

    assert "until=" not in page.url
    assert page.locator("input[name=as_of]").input_value() == "2026-01-01"
    told = page.locator(".summary [role=status]").inner_text()
    assert told.endswith("as memory stood at the start of 1 Jan 2026")
    seat = page.locator(".hit", has_text="aisle").first
    assert page.locator(".hit", has_text="never over the wing").count() == 0
    page.locator(".copies summary").click()
    told = page.locator(".copies code").all_inner_texts()
    assert "--as-of 2026-01-01" in told[0]
    assert 'as_of=datetime.fromisoformat("2026-01-01T00:00:00Z")' in told[1]
    assert "--data-urlencode 'as_of=2026-01-01'" in told[2]
    seat.locator("a").first.click()
    page.wait_for_selector("ri-entry[data-ready]")
    assert "as_of=2026-01-01" in page.url
    assert "aisle" in page.locator(".now").inner_text()


def test_looking_leaves_no_signals(page, site):
    before = site.memory().space(year.SPACE).stats().signals

    show(page, site, "search", q=QUESTION)
    show(page, site, "miss", q=QUESTION, target="seat")
    show(page, site, "context", q=QUESTION, session="trip")

    assert site.memory().space(year.SPACE).stats().signals == before


def test_a_pasted_text_leads_to_the_entry_it_stands_in(page, site):
    show(page, site, "miss", q=QUESTION, target="flies to Oslo on 24 June, back on")

    page.locator("ri-miss ol a").first.click()
    page.wait_for_selector("ri-miss[data-ready] .verdict")

    assert "rank" in page.locator(".verdict").inner_text()


def test_a_filter_that_drops_a_text_is_named(page, site):
    show(page, site, "miss", q=QUESTION, target="seat", tag="work", kind="note")

    assert "Tag: work" in page.locator(".verdict").inner_text()
    assert "What: note" not in page.locator(".verdict").inner_text()

    page.click("text=Ask without filters")
    page.wait_for_selector(".verdict:has-text('It is found')")


def test_a_muted_entry_is_said_to_be_muted(page, site):
    site.memory().space(year.SPACE).remember("Prefers quiet seats", name="hush", mute=True)

    show(page, site, "miss", q=QUESTION, target="hush")

    assert "muted: it is kept" in page.locator(".verdict").inner_text()


def test_a_slider_shows_what_an_entry_said_and_the_time_is_a_link(page, site):
    show(page, site, "entry", name="seat")

    page.locator("input[type=range]").fill("10")

    assert "aisle" in page.locator(".now").inner_text()
    assert page.locator("ins").count() > 0
    assert "as_of=2025" in page.url
    page.reload()
    page.wait_for_selector("ri-entry[data-ready]")
    assert "aisle" in page.locator(".now").inner_text()


def test_a_source_leads_to_its_message(page, site):
    show(page, site, "entry", name="seat")

    page.locator(".facts a", has_text="trip#2").click()
    page.wait_for_selector("ri-session[data-ready] .wanted")

    assert page.locator(".wanted").get_attribute("id") == "seq-2"


def test_an_override_cannot_disguise_a_name(page, site):
    site.memory().space(year.SPACE).remember("a program", name="invoice \u202egnp.exe")

    show(page, site, "entry", name="invoice \u202egnp.exe")

    assert page.locator("h1").inner_text() == "invoice \ufffdgnp.exe"


def test_a_name_that_browsers_shorten_is_shown_and_leads_to_no_other_route(page, site):
    space = site.memory().space(year.SPACE)
    space.remember("Two dots", name="..")
    space.session("..").append("user", "Two dots said this")
    space.ingest("One dot is written here", uri=".")
    asked = []
    page.on("request", lambda r: asked.append((r.method, r.url.removeprefix(site.url))))

    show(page, site, "session", session="..")
    assert "Two dots said this" in page.locator("main").inner_text()
    show(page, site, "documents", uri=".")
    assert "One dot is written here" in page.locator("main").inner_text()
    show(page, site, "entry", name="..")
    page.fill("input[name=new]", "dots")
    page.click("button:text-is('Rename')")
    page.wait_for_selector("h1:has-text('dots')")

    assert space.get("dots").content == "Two dots"
    assert page.watch.faults == []
    wrong = f"/v1/spaces/{year.SPACE}/"
    written = [path for method, path in asked if method == "POST"]
    assert written == [f"{wrong}entries/%00../rename"]
    assert not [path for _, path in asked if path in (wrong, f"{wrong}chunks", f"{wrong}events")]
    space.forget(".")
    space.session("..").delete()


@pytest.mark.parametrize("name", [".", ".."])
def test_a_space_that_browsers_shorten_is_shown(page, site, name):
    site.memory().space(name).remember(f"The space called {name}", name="here")

    for view, params in (("home", {}), ("search", {"q": "space"}), ("entry", {"name": "here"})):
        page.goto(f"{site.url}/ui/?{urlencode({'view': view, 'space': name, **params})}")
        page.wait_for_selector(f"ri-{view}[data-ready]")
        page.wait_for_selector(f"main :text('The space called {name}')")

    assert page.watch.faults == []
    site.memory().drop(name)


def test_a_view_that_does_not_exist_is_home(page, site):
    page.goto(f"{site.url}/ui/?view=constructor&space={year.SPACE}")

    page.wait_for_selector("ri-home[data-ready]")


@pytest.mark.parametrize("view", ["entry", "documents"])
def test_what_is_not_there_says_what_to_do(page, site, view):
    show(page, site, view, **{"name": "nothing", "uri": "nothing"})

    assert "ricordo" in page.locator(".empty code").inner_text()


def test_a_chunk_is_shown_as_it_was_written(page, site):
    show(page, site, "documents", uri="handbook.md", offset="12")

    assert "## Travel\n\nBook window seats" in page.locator("main").inner_text()


def test_a_day_shows_all_that_is_planned_or_ran(page, site):
    show(page, site, "time", month="2026-06", day="2026-06-15")

    assert "ran" in page.locator(".day-list").inner_text()
    assert "weekly report" in page.locator(".day-list").inner_text()


def test_a_preview_names_the_gates_that_stopped_candidates(page, site):
    show(page, site, "dreams")

    page.click("text=What would be promoted now?")
    page.locator("summary", has_text="which gate").click()

    assert "promoted before" in page.locator("main").inner_text()


def test_the_log_folds_tools_and_shows_where_it_was_compacted(page, site):
    show(page, site, "session", session="trip", seq="4")

    assert page.locator(".wanted").get_attribute("id") == "seq-4"
    assert "Compacted here" in page.locator("main").inner_text()
    assert page.locator("details:has-text('find_flights')").first.get_attribute("open") is None


# --- keys ---------------------------------------------------------------------------------------


def test_keys_alone_lead_from_a_search_to_an_entry(page, site):
    show(page, site, "home")

    page.keyboard.press("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_selector("ri-search[data-ready] .hit")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("ri-entry[data-ready], ri-session[data-ready]")

    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("x")
    page.wait_for_selector("ri-health[data-ready]")


# --- writing ------------------------------------------------------------------------------------


def test_an_entry_is_written_renamed_and_erased_with_a_receipt(page, site):
    site.memory().space(year.SPACE).remember("Drinks tea", name="tea")
    show(page, site, "entry", name="tea")

    page.fill("textarea", "Drinks green tea")
    page.click("button:text-is('Write')")
    page.wait_for_selector(".now:has-text('green')")
    page.fill("input[name=new]", "drink")
    page.click("button:text-is('Rename')")
    page.wait_for_selector("h1:has-text('drink')")
    page.click("button:text-is('Erase…')")
    page.wait_for_selector(".receipt")
    assert site.memory().space(year.SPACE).get("drink") is not None  # so far it was a dry run
    page.click("button:text-is('Erase it')")
    page.wait_for_selector("h1:has-text('Receipt')")

    assert "no trace" in page.locator(".receipt").inner_text()
    assert site.memory().space(year.SPACE).get("drink") is None


def test_two_tabs_do_not_overwrite_each_other(page, site):
    site.memory().space(year.SPACE).remember("one", name="shared")
    other = page.context.new_page()
    for each in (page, other):
        show(each, site, "entry", name="shared")

    page.fill("textarea", "mine")
    page.click("button:text-is('Write')")
    page.wait_for_selector(".now:has-text('mine')")
    other.fill("textarea", "theirs")
    other.click("button:text-is('Write')")
    other.wait_for_selector("[role=alert]")

    assert site.memory().space(year.SPACE).get("shared").content == "mine"


def test_home_shows_what_happens_as_it_happens(page, site):
    show(page, site, "home")
    page.wait_for_selector(".title .live:has-text('live')")

    site.memory().space(year.SPACE).remember("Just now", name="fresh")

    page.wait_for_selector(".feed .new:has-text('fresh')", timeout=15_000)


# --- who gets in --------------------------------------------------------------------------------


def test_a_used_link_says_how_to_get_another(browser, site):
    link = site.link()
    context = browser.new_context()
    context.new_page().goto(link)

    second = context.new_page()
    second.goto(link)

    second.wait_for_selector("h1:has-text('used up')")
    assert "ricordo inspect" in second.locator("main").inner_text()
    context.close()


def test_another_browser_sees_nothing(browser, site):
    context = browser.new_context()
    page = context.new_page()

    page.goto(f"{site.url}/ui/?{urlencode({'view': 'entry', 'space': year.SPACE})}")

    page.wait_for_selector("h1:has-text('ended')")
    context.close()


def test_a_revoked_token_ends_the_page_and_its_stream(browser, site):
    site.tokens.add("visitor", year.SPACE)
    page = log_in(browser, site, "visitor")
    assert page.locator(".spaces option").all_inner_texts() == [year.SPACE]

    site.tokens.remove("visitor")

    page.wait_for_selector("h1:has-text('ended')", timeout=20_000)
    page.context.close()


def test_a_page_outlives_a_server_that_goes_away_and_comes_back(browser, tmp_path, built):
    with serve(tmp_path, built) as own:
        page = log_in(browser, own)
        own.stop()
        page.click("nav a.to-entry")
        page.wait_for_selector(".away")

        own.start()

        page.wait_for_selector("ri-entry[data-ready] .list li", timeout=20_000)
        assert page.locator(".away").count() == 0
        page.context.close()


def test_a_page_that_only_reads_offers_no_writing(browser, tmp_path, built):
    with serve(tmp_path, built, writes=False) as own:
        page = log_in(browser, own)
        show(page, own, "entry", name="seat")

        assert page.locator("textarea, button:has-text('Erase')").count() == 0
        assert "ricordo inspect --write" in page.locator("main").inner_text()
        page.context.close()


def test_an_empty_memory_says_the_next_command(browser, tmp_path):
    with serve(tmp_path, None) as own:
        page = log_in(browser, own)
        silent = []
        for view in dict.fromkeys(view for view, _ in VIEWS.values()):
            show(page, own, view)
            if "ricordo" not in page.locator("main").inner_text():
                silent.append(view)
        page.context.close()

    assert silent == []
