"""What the routes do: the reads of the Python API, without HTTP."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from ricordo.errors import NotFound
from ricordo.model import (
    CADENCES,
    KINDS,
    MODES,
    ORIGINS,
    POLICIES,
    RECALL_KINDS,
    STATUSES,
    Context,
    Document,
    Entry,
    Event,
    Explanation,
    Hit,
    Job,
    Json,
    Reminder,
    Revision,
    Run,
    Schedule,
    SessionInfo,
    Signal,
    Spending,
    Stats,
    Summary,
)
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.routes import (
    FAR,
    Page,
    RequestContext,
    Route,
    limit_of,
    limit_parameter,
    list_route,
    offset_of,
    page_at,
    page_route,
    rest_of,
    route,
)

_MOST_SCHEDULES = 50  # the library lists no more at once
_CATEGORY = Parameter("category", "string", "Only this category.")
_TAGS = Parameter("tag", "string", "Only with all of these tags.", many=True, argument="tags")
_MOMENT = 'ISO 8601, "yesterday", "2 weeks ago"'
_QUERY = Parameter(
    "q", "string", "What to recall, in plain words.", required=True, argument="query"
)
_BUDGET = Parameter("budget", "integer", "Maximum tokens of the context.", least=1, most=10_000_000)
_FILTERS = (
    limit_parameter("Hits.", default=5),
    Parameter("mode", "string", "How to search.", choices=MODES),
    Parameter(
        "kind",
        "string",
        "Only these.",
        many=True,
        choices=RECALL_KINDS,
        argument="kinds",
    ),
    _CATEGORY,
    _TAGS,
    Parameter("session", "string", "Only messages of this session."),
    Parameter("since", "moment", f"Only from this time on: {_MOMENT}."),
    Parameter("until", "moment", f"Only before this time: {_MOMENT}."),
    Parameter("as_of", "moment", f"As memory stood at this time: {_MOMENT}."),
    Parameter(
        "origin",
        "string",
        "Only from these origins.",
        many=True,
        choices=ORIGINS,
        argument="origins",
    ),
)
_RANKING = (
    Parameter("profile", "string", "How to rank."),
    Parameter("abstain", "number", "Return no hits unless one reaches this confidence."),
    Parameter("variety", "boolean", "Whether repeats come last; default: not in mode vector."),
    Parameter("rerank", "boolean", "Whether a model reads the first hits with the query."),
)
EXPLAINED = (_QUERY, *_FILTERS)
_WHERE = Parameter("where", "object", 'Only with such metadata, as JSON: {"year": {"$gte": 2020}}.')
_EXCLUDE = Parameter("exclude", "string", "Leave out what has this name.", many=True)
_BY_NAME = (
    _EXCLUDE,
    Parameter("uri", "string", "Only documents whose URI begins so."),
    Parameter("prefix", "string", "Only entries whose name begins so."),
    Parameter("offset", "integer", "Skip this many hits.", least=0, most=10_000),
    _WHERE,
    Parameter("marks", "boolean", "Whether each hit has `marks`: [start, end] of words found."),
    Parameter("signals", "boolean", "Whether it is noted what was recalled; default: true."),
)


def spaces(asked: RequestContext) -> Page:
    """The names of the spaces that the token reaches."""
    limit, offset = limit_of(asked), offset_of(asked.given)
    prefix = cast(str, asked.given.get("prefix", ""))
    if asked.grant.space is None:
        names = asked.memory.spaces(prefix, offset + limit + 1)
    else:
        names = asked.memory.spaces(asked.grant.space, 1)
        names = [name for name in names if name == asked.grant.space and name.startswith(prefix)]
    return page_at(names, offset, limit)


def keeper(asked: RequestContext) -> list[Job]:
    """The jobs of the background: when each ran last, how that went, and when it runs next.

    A token that is bound to a space does not learn about them.
    """
    if asked.grant.space is not None:
        raise NotFound("the keeper works for all spaces; this token is bound to one")
    return asked.memory.keeper.status()


def entries(asked: RequestContext) -> Page:
    """Entries, most recently written first."""
    limit = limit_of(asked)
    found = asked.space.entries(limit=limit + 1, **rest_of(asked, "limit"))
    more = len(found) > limit
    return Page(found[:limit], found[limit - 1].uid if more else None)


def entry(asked: RequestContext) -> Entry:
    """One entry by name, alias, id or uid; with `as_of`, its text at that time."""
    found = asked.space.get(asked.path["name"], **rest_of(asked))
    if found is None:
        raise NotFound(f"there is no entry {asked.path['name']!r} in space {asked.space.name!r}")
    return found


def history(asked: RequestContext) -> Page:
    """Earlier texts of an entry, oldest first."""
    found = asked.space.history(asked.path["name"])
    return page_at(found, offset_of(asked.given), limit_of(asked))


def sessions(asked: RequestContext) -> Page:
    """Sessions, most recently active first."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    most = min(offset + limit + 1, FAR)
    return page_at(asked.space.sessions(most, **rest_of(asked, "after", "limit")), offset, limit)


def events(asked: RequestContext) -> Page:
    """The log of a session in order; `after` is a seq."""
    limit = limit_of(asked)
    after = offset_of(asked.given) if "after" in asked.given else None
    found = asked.space.session(asked.path["session"]).events(after, limit + 1)
    return Page(found[:limit], str(found[limit - 1].seq) if len(found) > limit else None)


def summary(asked: RequestContext) -> Summary:
    """The rolling summary of a session; with `as_of`, what it said at that time."""
    found = asked.space.session(asked.path["session"]).summary(**rest_of(asked))
    if found is None:
        raise NotFound(f"session {asked.path['session']!r} has no summary")
    return found


def summaries(asked: RequestContext) -> Page:
    """The summary of a session and what it said before, oldest first."""
    return Page(asked.space.session(asked.path["session"]).summaries())


def scratchpad(asked: RequestContext) -> Page:
    """The lines of a session's scratchpad."""
    return Page(asked.space.session(asked.path["session"]).scratchpad())


def context(asked: RequestContext) -> Context:
    """The context for a model. A look: reminders are not delivered, and no signals are left."""
    session = asked.space.session(asked.path["session"])
    return session.context(due=_list_due(asked), signals=False, **rest_of(asked))


def space_context(asked: RequestContext) -> Context:
    """The context for a model, without a session. A look, likewise."""
    return asked.space.context(due=_list_due(asked), signals=False, **rest_of(asked))


def _list_due(asked: RequestContext) -> Callable[[str], list[str]]:
    def due(text: str) -> list[str]:
        return [each.text for each in asked.space.reminders.due(text, deliver=False)]

    return due


def recall(asked: RequestContext) -> Page:
    """Search messages and entries by words, meaning or both."""
    given = rest_of(asked, "marks", "signals")
    if not asked.given.get("signals", True):
        given["asker"] = None
    hits = asked.space.recall(**given)
    return Page([_mark(hit, given["query"]) for hit in hits] if asked.given.get("marks") else hits)


def _mark(hit: Hit, query: str) -> dict[str, Json]:
    """A hit with the places of the query's words in its text."""
    from ricordo.core.text.marks import find_marks

    return {**hit.to_dict(), "marks": [list(span) for span in find_marks(query, hit.text)]}


def explain(asked: RequestContext) -> Explanation:
    """Explain why an entry is or is not recalled."""
    return asked.space.explain(target=asked.path["name"], **rest_of(asked))


def schedules(asked: RequestContext) -> Page:
    """Schedules, newest first."""
    offset, limit = offset_of(asked.given), min(limit_of(asked), _MOST_SCHEDULES)
    wanted = rest_of(asked, "limit", "after")
    found = asked.space.schedules.list(limit=limit, offset=offset, **wanted)
    more = offset + len(found) < asked.space.schedules.count(**wanted)
    return Page(found, str(offset + limit) if more and found else None)


def schedule(asked: RequestContext) -> Schedule:
    """One schedule, by its id or a unique name."""
    found = asked.space.schedules.get(asked.path["schedule"])
    if found is None:
        raise NotFound(f"there is no schedule {asked.path['schedule']!r}")
    return found


def runs(asked: RequestContext) -> Page:
    """The runs of a schedule, newest first."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    found = asked.space.schedules.runs(asked.path["schedule"], min(offset + limit + 1, FAR))
    return page_at(found, offset, limit)


def reminders(asked: RequestContext) -> Page:
    """Pending reminders, soonest first; with pending=false, all reminders, newest first."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    rest = rest_of(asked, "limit", "after")
    found = asked.space.reminders.list(limit=min(offset + limit + 1, FAR), **rest)
    return page_at(found, offset, limit)


def signals(asked: RequestContext) -> Page:
    """Which queries recalled which entries, newest first."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    found = asked.space.dreams.signals(
        limit=min(offset + limit + 1, FAR), **rest_of(asked, "limit", "after")
    )
    return page_at(found, offset, limit)


def documents(asked: RequestContext) -> Page:
    """The documents by URI."""
    found = asked.space.documents.list(**rest_of(asked, "limit", "after"))
    return page_at(found, offset_of(asked.given), limit_of(asked))


def spending(asked: RequestContext) -> Page:
    """What the space spent on chat models."""
    return Page(asked.space.dreams.spending())


def stats(asked: RequestContext) -> Stats:
    """Counts of a space, without the path; a token of one space does not see the size either."""
    return hide_url(asked.space.stats(), asked.grant.space)


def hide_url(counted: Stats, bound: str | None) -> Stats:
    """Counts without what clients must not see."""
    size = counted.bytes if bound is None else 0
    error = counted.embedding_error if bound is None else None  # it may name a server
    return replace(counted, path="", bytes=size, embedding_error=error)


_SPACE = "/v1/spaces/{space}"
_SESSION = f"{_SPACE}/sessions/{{session}}"
_ENTRY = f"{_SPACE}/entries/{{name}}"
_PLAN = f"{_SPACE}/schedules/{{schedule}}"


ROUTES: tuple[Route, ...] = (
    page_route(
        "/v1/spaces", spaces, str, Parameter("prefix", "string", "Only names that begin so.")
    ),
    route(f"{_SPACE}/stats", stats, Stats),
    list_route("/v1/keeper", keeper, Job),
    page_route(
        f"{_SPACE}/entries",
        entries,
        Entry,
        Parameter("kind", "string", "Only this kind.", choices=KINDS),
        _CATEGORY,
        _TAGS,
        Parameter("prefix", "string", "Only names with this prefix."),
        _EXCLUDE,
        _WHERE,
    ),
    route(
        _ENTRY,
        entry,
        Entry,
        Parameter("as_of", "time", "The time whose text to return."),
        Parameter("exact", "boolean", "The name is a name or an alias only."),
    ),
    page_route(f"{_ENTRY}/history", history, Revision),
    route(f"{_ENTRY}/explanation", explain, Explanation, *EXPLAINED),
    page_route(
        f"{_SPACE}/sessions",
        sessions,
        SessionInfo,
        Parameter("prefix", "string", "Only names with this prefix."),
        Parameter("agent", "string", "Only sessions of this agent."),
    ),
    page_route(f"{_SESSION}/events", events, Event),
    route(
        f"{_SESSION}/summary",
        summary,
        Summary,
        Parameter("as_of", "time", "The time whose text to return."),
    ),
    list_route(f"{_SESSION}/summaries", summaries, Summary),
    list_route(f"{_SESSION}/scratchpad", scratchpad, str),
    route(
        f"{_SESSION}/context",
        context,
        Context,
        Parameter(
            "q", "string", "What it is about; default: the last user message.", argument="query"
        ),
        _BUDGET,
        Parameter("profile", "string", "How to pack.", choices=("default", "tri")),
    ),
    route(f"{_SPACE}/context", space_context, Context, _QUERY, _BUDGET),
    list_route(f"{_SPACE}/recall", recall, Hit, _QUERY, *_FILTERS, *_RANKING, *_BY_NAME),
    list_route(
        f"{_SPACE}/recall",
        recall,
        Hit,
        _QUERY,
        *_FILTERS,
        *_RANKING,
        *_BY_NAME,
        Parameter("vector", "number", "The query, embedded with the space's model.", many=True),
        method="POST",
        takes="body",
        name="recall_by_body",
    ),
    page_route(
        f"{_SPACE}/schedules",
        schedules,
        Schedule,
        Parameter("name", "string", "Any part of the name."),
        Parameter("status", "string", "Only in this state.", choices=STATUSES),
        Parameter("cadence", "string", "Only this kind.", choices=CADENCES),
        Parameter("notify", "string", "Only with this policy.", choices=POLICIES),
        limit=limit_parameter(
            "Maximum items of a page; more than 50 returns 50.", default=_MOST_SCHEDULES
        ),
    ),
    route(_PLAN, schedule, Schedule),
    page_route(f"{_PLAN}/runs", runs, Run),
    page_route(
        f"{_SPACE}/reminders",
        reminders,
        Reminder,
        Parameter("pending", "boolean", "Only pending ones; default: true."),
        Parameter("recipient", "string", "Only for this recipient."),
    ),
    page_route(
        f"{_SPACE}/signals",
        signals,
        Signal,
        Parameter("name", "string", "Only those of this entry."),
        Parameter("session", "string", "Only those of this session."),
    ),
    page_route(
        f"{_SPACE}/documents",
        documents,
        Document,
        Parameter("prefix", "string", "Only URIs with this prefix."),
    ),
    list_route(f"{_SPACE}/spending", spending, Spending),
)
