"""Nothing that is sent breaks the server, and many may ask at once."""

import json
import re
import threading
import urllib.parse
import urllib.request

from http_space import BASE, TOOLS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ricordo.surfaces.http.api import MEM0_ROUTES, ROUTES
from ricordo.surfaces.http.calls import CALL

ODD = st.text(max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD, inner, max_size=3),
    max_leaves=6,
)


def odd_request(data):
    """A request that is nearly right: a route of ours, filled with anything."""
    route = data.draw(st.sampled_from((*ROUTES, *MEM0_ROUTES)))
    toolset, tool = data.draw(st.sampled_from(TOOLS))
    path = route.path.replace("{tool}", tool.name)
    for piece in re.findall(r"\{(\w+)\}", path):
        safe = urllib.parse.quote(data.draw(ODD.filter(bool)), safe="", errors="surrogatepass")
        path = path.replace(f"{{{piece}}}", safe)
    known = st.sampled_from([each.name for each in route.parameters] or ["none"])
    query = data.draw(st.lists(st.tuples(known, ODD), max_size=3))
    body = data.draw(st.dictionaries(known | ODD, VALUES, max_size=4))
    if route.path == CALL:
        query = [("toolset", toolset)]
        names = list(tool.parameters.get("properties", {})) or ["none"]
        odd = data.draw(st.dictionaries(st.sampled_from(names), VALUES, max_size=2))
        body = {**data.draw(st.sampled_from(tool.examples)), **odd}
    path += "?" + urllib.parse.urlencode(query, errors="surrogatepass")
    return route.method, path, None if route.takes == "query" else body


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nothing_that_is_sent_breaks_the_server(server, data):
    method, path, body = odd_request(data)

    reply = server.ask(method, path, body)

    assert reply.status < 500, (method, path, body, reply.body)
    json.loads(reply.body)


def test_many_clients_at_once_are_all_answered(fresh):
    statuses = []

    def work(number):
        for turn in range(5):
            made = fresh.ask(
                "POST",
                f"{BASE}/tools/remember",
                {"content": f"{number} {turn}", "name": f"n{number}"},
            )
            statuses.append(made.status)
            statuses.append(fresh.ask("GET", f"{BASE}/recall?q={number}").status)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert statuses == [200] * 80
    assert len(fresh.get(f"{BASE}/entries")["items"]) == 8
