"""Routes about learning, plans and files: sweeps, promotions, macros, approvals, pauses, files."""

from datetime import datetime

from ricordo.errors import NotFound
from ricordo.model import Approval, Checkpoint, Macro, Promotion, Schedule, Sweep
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
    write_route,
)

_UPCOMING = 5  # runs listed by default


def sweeps(asked: RequestContext) -> Page:
    """Sweeps, newest first, with their promotions that still hold."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    return page_at(asked.space.dreams.list(min(offset + limit + 1, FAR)), offset, limit)


def promotions(asked: RequestContext) -> Page:
    """Promoted entries, newest first."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    return page_at(
        asked.space.dreams.promotions(min(offset + limit + 1, FAR)),
        offset,
        limit,
    )


def macros(asked: RequestContext) -> Page:
    """Which tool calls follow which, the most confident first."""
    offset, limit = offset_of(asked.given), limit_of(asked)
    rest = rest_of(asked, "limit", "after")
    found = asked.space.macros.list(limit=min(offset + limit + 1, FAR), **rest)
    return page_at(found, offset, limit)


def approvals(asked: RequestContext) -> Page:
    """Commands that the user allowed or denied."""
    return Page(asked.space.approvals.list())


def checkpoints(asked: RequestContext) -> Page:
    """The newest commits of the workspace; at most 100."""
    return Page(asked.space.files.checkpoints(limit_of(asked)))


def files(asked: RequestContext) -> Page:
    """The files of the workspace by path."""
    return page_at(asked.space.files.list(), offset_of(asked.given), limit_of(asked))


def file(asked: RequestContext) -> dict[str, str]:
    """One file of the workspace."""
    text = asked.space.files.read(asked.path["path"])
    if text is None:
        raise NotFound(f"there is no file {asked.path['path']!r} in the workspace")
    return {"path": asked.path["path"], "text": text}


def upcoming(asked: RequestContext) -> Page:
    """When a schedule runs next, in its own time zone."""
    return Page(asked.space.schedules.upcoming(asked.path["schedule"], limit_of(asked, _UPCOMING)))


def preview_sweep(asked: RequestContext) -> Sweep:
    """What a sweep would promote now; nothing is written."""
    return asked.space.dream(dry_run=True)


def dream(asked: RequestContext) -> Sweep:
    """Make a sweep: promote what is recalled repeatedly."""
    return asked.space.dream()


def undo_sweep(asked: RequestContext) -> Sweep:
    """Undo the promotions of a sweep, in the ledger and in MEMORY.md."""
    given = asked.path["sweep"]
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        raise NotFound(f"there is no sweep {given!r:.80}; give the id of one, a number")
    return asked.space.dreams.undo(int(given))


def pause(asked: RequestContext) -> Schedule:
    """Pause a schedule: it does not run until it is resumed."""
    return asked.space.schedules.pause(asked.path["schedule"])


def resume(asked: RequestContext) -> Schedule:
    """Resume a paused schedule."""
    return asked.space.schedules.resume(asked.path["schedule"])


_SPACE = "/v1/spaces/{space}"

ROUTES: tuple[Route, ...] = (
    list_route(
        f"{_SPACE}/schedules/{{schedule}}/upcoming",
        upcoming,
        datetime,
        limit_parameter("How many.", _UPCOMING, 100),
    ),
    page_route(f"{_SPACE}/sweeps", sweeps, Sweep),
    route(f"{_SPACE}/sweeps/preview", preview_sweep, Sweep),
    write_route(f"{_SPACE}/sweeps", dream, Sweep, is_sweeping=True),
    write_route(f"{_SPACE}/sweeps/{{sweep}}/undo", undo_sweep, Sweep, is_sweeping=True),
    write_route(f"{_SPACE}/schedules/{{schedule}}/pause", pause, Schedule),
    write_route(f"{_SPACE}/schedules/{{schedule}}/resume", resume, Schedule),
    page_route(f"{_SPACE}/promotions", promotions, Promotion),
    page_route(
        f"{_SPACE}/macros", macros, Macro, Parameter("tool", "string", "Only macros of this tool.")
    ),
    list_route(f"{_SPACE}/approvals", approvals, Approval),
    list_route(
        f"{_SPACE}/checkpoints",
        checkpoints,
        Checkpoint,
        limit_parameter("Maximum number.", most=100),
    ),
    page_route(f"{_SPACE}/files", files, str),
    route(f"{_SPACE}/files/{{path}}", file, dict[str, str]),
)
