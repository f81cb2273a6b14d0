"""Routes for workers: claim what is due in a space, and say what became of it."""

from dataclasses import replace
from typing import Any

from ricordo.errors import NotFound
from ricordo.model import OUTCOMES, Claim, Reminder, Run
from ricordo.surfaces.http.parameters import Parameter
from ricordo.surfaces.http.routes import Page, RequestContext, Route, rest_of, write_route


def claim_schedules(asked: RequestContext) -> Page:
    """Claim due schedules of the space for a worker; nobody else gets them during the lease."""
    return Page(asked.space.schedules.claim(**rest_of(asked)))


def renew_claim(asked: RequestContext) -> Claim:
    """Hold a claim for longer, counted from now; 409 if it is lost."""
    return asked.memory.renew(_find_claim(asked), **_pick(asked, "lease"))


def finish_claim(asked: RequestContext) -> Run:
    """Record a run and plan the next one; 409 if the claim is lost."""
    run = Run(**_pick(asked, "status", "output", "turns", "cost"))
    return asked.memory.finish(_find_claim(asked), run)


def release_claim(asked: RequestContext) -> dict[str, bool]:
    """Return a claim unused; false if it was lost."""
    return {"released": asked.memory.release(_find_claim(asked))}


def claim_reminders(asked: RequestContext) -> Page:
    """Claim due reminders of the space for a worker; nobody else gets them during the lease."""
    return Page(asked.space.reminders.claim(**rest_of(asked)))


def deliver_reminder(asked: RequestContext) -> dict[str, bool]:
    """Note that a claimed reminder reached its reader; false if it was lost or delivered."""
    return {"delivered": asked.space.reminders.deliver(_find_reminder(asked))}


def release_reminder(asked: RequestContext) -> dict[str, bool]:
    """Return a claimed reminder; false if it was lost or delivered."""
    return {"released": asked.space.reminders.release(_find_reminder(asked))}


def _find_claim(asked: RequestContext) -> Claim:
    """The claim that a worker was given; whether it still holds is decided where it is used."""
    schedule = asked.space.schedules.get(asked.path["schedule"])
    if schedule is None:
        raise NotFound(f"there is no schedule {asked.path['schedule']!r}")
    given = _pick(asked, "worker", "fence", "planned_at", "claimed_at")
    return Claim(schedule, **given, until=given["claimed_at"])


def _find_reminder(asked: RequestContext) -> Reminder:
    reminder = asked.space.reminders.get(asked.path["reminder"])
    if reminder is None:
        raise NotFound(f"there is no reminder {asked.path['reminder']!r}")
    return replace(reminder, **_pick(asked, "worker", "fence"))


def _pick(asked: RequestContext, *names: str) -> dict[str, Any]:
    return {name: asked.given[name] for name in names if name in asked.given}


_SCHEDULES = "/v1/spaces/{space}/schedules"
_REMINDERS = "/v1/spaces/{space}/reminders"
_PLAN = f"{_SCHEDULES}/{{schedule}}"
_ONE = f"{_REMINDERS}/{{reminder}}"
_LEASE = Parameter("lease", "number", "Seconds, up to a week; default: 300.")
_WORKER = Parameter("worker", "string", "The worker, with a name of its own.", required=True)
_FENCE = Parameter("fence", "integer", "The fence of the claim.", required=True, least=0)
_HELD = (
    _WORKER,
    _FENCE,
    Parameter("planned_at", "time", "As the claim has it.", required=True),
    Parameter("claimed_at", "time", "As the claim has it.", required=True),
)
_DUE = (
    Parameter("limit", "integer", "How many at most.", least=1, most=1_000),
    _WORKER,
    _LEASE,
)


ROUTES: tuple[Route, ...] = (
    write_route(f"{_SCHEDULES}/claim", claim_schedules, Claim, *_DUE, is_list=True),
    write_route(f"{_PLAN}/renew", renew_claim, Claim, *_HELD, _LEASE),
    write_route(
        f"{_PLAN}/finish",
        finish_claim,
        Run,
        *_HELD,
        Parameter("status", "string", "How the run went.", required=True, choices=OUTCOMES),
        Parameter("output", "string", "What it brought."),
        Parameter("turns", "integer", "Turns of a model.", least=0),
        Parameter("cost", "number", "What it cost.", least=0),
    ),
    write_route(f"{_PLAN}/release", release_claim, dict[str, bool], *_HELD),
    write_route(f"{_REMINDERS}/claim", claim_reminders, Reminder, *_DUE, is_list=True),
    write_route(f"{_ONE}/deliver", deliver_reminder, dict[str, bool], _WORKER, _FENCE),
    write_route(f"{_ONE}/release", release_reminder, dict[str, bool], _WORKER, _FENCE),
)
