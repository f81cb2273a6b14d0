"""Search and fetch, as ChatGPT asks for them."""


def test_what_search_finds_fetch_reads(calling, space):
    space.remember("Prefers window seats", "seat", tags=["travel"])
    space.remember("Hates window blinds")
    space.session("trip").append("user", "The window is open")
    space.ingest("A window is an opening in a wall", uri="doc:window")
    chatgpt = calling("chatgpt")

    results = chatgpt("search", query="window")["results"]
    fetched = {each["id"]: chatgpt("fetch", id=each["id"]) for each in results}

    assert len(results) == 4
    assert all(set(each) == {"id", "title", "url"} for each in results)
    texts = {each["text"] for each in fetched.values()}
    assert "Prefers window seats" in texts
    assert "The window is open" in texts
    assert "A window is an opening in a wall" in texts
    for each in results:
        whole = fetched[each["id"]]
        assert set(whole) == {"id", "title", "text", "url", "metadata"}
        assert whole["url"] == each["url"]
    urls = {each["url"] for each in results}
    assert {"ricordo://entries/seat", "ricordo://entries/trip%231", "doc:window"} < urls


def test_fetching_what_is_not_there_is_not_found(calling):
    assert calling("chatgpt").refused("fetch", id="nothing").kind == "not_found"
