"""Routes that look closer: parts of a score, chunks, whether the rules hold, what changed."""

from collections.abc import Iterator

from ricordo.errors import NotFound
from ricordo.model import CHANGE_KINDS, PARTS, Change, Chunk, Explanation, Violation
from ricordo.surfaces.findings import (
    Finding,
    look_at_backup,
    look_at_clock,
    look_at_embedding,
    look_at_keeper,
    look_at_versions,
)
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.reads import EXPLAINED
from ricordo.surfaces.http.routes import (
    FAR,
    Page,
    RequestContext,
    Route,
    limit_of,
    list_route,
    offset_of,
    page_at,
    page_route,
    rest_of,
    route,
)

_MOST_CHANGES = 10_000


def access(asked: RequestContext) -> dict[str, object]:
    """What the token allows: its name, its space (null: all), whether it may only read.

    `db` is where the memory is, for the login of who started the server; null for all others.
    """
    grant = asked.grant
    return {
        "name": grant.name,
        "space": grant.space,
        "read_only": grant.read_only or grant.toolset is not None,
        "db": grant.db,
    }


def parts(asked: RequestContext) -> Page:  # noqa: ARG001 - all routes are called alike
    """What each part of a score is called, in two words and in a sentence."""
    return Page([{"name": name, **part._asdict()} for name, part in PARTS.items()])


def check(asked: RequestContext) -> Page:
    """Check every rule of the memory; what is broken. It reads everything, so ask seldom."""
    _refuse_bound(asked)
    return Page(asked.memory.check())


def doctor(asked: RequestContext) -> Page:
    """Versions, clock, keeper, embedding and backup: what is well, and what is not."""
    _refuse_bound(asked)
    return Page(list(_examine(asked)))


def _examine(asked: RequestContext) -> Iterator[Finding]:
    yield from look_at_versions()
    for look in (look_at_clock, look_at_keeper, look_at_embedding, look_at_backup):
        yield from look(asked.memory)


def _refuse_bound(asked: RequestContext) -> None:
    if asked.grant.space is not None:
        raise NotFound("this concerns all spaces; this token is bound to one")


def changes(asked: RequestContext) -> Page:
    """What happened in the space, newest first; with Accept: text/event-stream, as it happens."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    wanted = min(offset + limit + 1, _MOST_CHANGES, FAR)
    found = asked.space.exchange.changes(wanted, **rest_of(asked, "limit", "after", "seen"))
    return page_at(found, offset, limit)


def explain_event(asked: RequestContext) -> Explanation:
    """Explain why a message is or is not recalled."""
    seq = asked.path["seq"]
    if not (seq.isascii() and seq.isdigit() and len(seq) < 19):
        raise NotFound(f"there is no message {seq!r:.40} in session {asked.path['session']!r}")
    return asked.space.explain(target=(asked.path["session"], int(seq)), **rest_of(asked))


def document_chunks(asked: RequestContext) -> Page:
    """The chunks of a document in order: what is indexed of it, and where it stands."""
    found = asked.space.documents.chunks(asked.path["uri"])
    return page_at(found, offset_of(asked.given), limit_of(asked))


ROUTES: tuple[Route, ...] = (
    route("/v1/access", access, dict[str, object]),
    list_route("/v1/parts", parts, dict[str, str]),
    route(
        "/v1/spaces/{space}/sessions/{session}/events/{seq}/explanation",
        explain_event,
        Explanation,
        *EXPLAINED,
    ),
    page_route("/v1/spaces/{space}/documents/{uri}/chunks", document_chunks, Chunk),
    list_route("/v1/check", check, Violation),
    list_route("/v1/doctor", doctor, Finding),
    page_route(
        "/v1/spaces/{space}/changes",
        changes,
        Change,
        Parameter(
            "kind", "string", "Only these.", many=True, choices=CHANGE_KINDS, argument="kinds"
        ),
        Parameter("seen", "string", "The id of the newest change you know; a stream begins there."),
        streams=True,
    ),
)
