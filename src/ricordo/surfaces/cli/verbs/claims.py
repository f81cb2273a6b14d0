"""Verbs for your own workers: claim what is due, renew or release a claim, finish it.

Processes pass a claim on as the JSON line that `claim` prints.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ricordo.errors import ClaimLost, InvalidInput
from ricordo.model import OUTCOMES, Claim, Json, Outcome, Run
from ricordo.surfaces.cli.context import Call, verb
from ricordo.surfaces.cli.param_types import claim as claim_line
from ricordo.surfaces.cli.param_types import text
from ricordo.surfaces.output import dumps

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory

_TIMES = ("planned_at", "claimed_at", "until")


@verb("claim", "ricordo claim --worker laptop", "ricordo claim --limit 5 --lease 600")
@click.option("--limit", type=int, default=1, show_default=True, help="Maximum number.")
@click.option("--worker", default="worker", help="Who claims; give each worker its own name.")
@click.option("--lease", type=float, default=300.0, help="Seconds to hold it; default: 300.")
def claim(call: Call, limit: int, worker: str, lease: float) -> None:
    """Claim due schedules of all spaces and print each as one JSON line.

    Nobody else can claim them during the lease. Pass the line to `finish`, `renew` or `release`.
    """
    with call.memory(writes=True) as memory:
        claims = memory.claim(limit, worker, lease)
    for each in claims:
        call.out.write(dumps(_line(each)))
    if not claims:
        call.out.note("nothing is due")


@verb(
    "finish",
    "ricordo finish - --status failed < claim.json",
    'ricordo finish - --output "The report is sent" < claim.json',
)
@click.argument("claim", type=claim_line)
@click.option("--status", type=click.Choice(OUTCOMES), default="success", show_default=True)
@click.option("--output", type=text, default="", help="The output of the run.")
def finish(call: Call, claim: Json, status: Outcome, output: str) -> None:
    """Record the run of a CLAIM and plan the next; print the notice for the user, if any.

    CLAIM is a line of `claim`, or - to read it from standard input.
    """
    with call.memory(writes=True) as memory:
        run = memory.finish(_claim(memory, claim), Run(status, output))
    if run.notice is not None or call.out.as_json:
        call.out.line(run, run.notice or "")


@verb("renew", "ricordo renew - --lease 600 < claim.json")
@click.argument("claim", type=claim_line)
@click.option("--lease", type=float, default=300.0, help="Seconds from now; default: 300.")
def renew(call: Call, claim: Json, lease: float) -> None:
    """Extend the lease of a CLAIM and print the new line."""
    with call.memory(writes=True) as memory:
        held = memory.renew(_claim(memory, claim), lease)
    call.out.write(dumps(_line(held)))


@verb("release", "ricordo release - < claim.json")
@click.argument("claim", type=claim_line)
def release(call: Call, claim: Json) -> None:
    """Release a CLAIM without a run, so that it can be claimed again."""
    with call.memory(writes=True) as memory:
        was_ours = memory.release(_claim(memory, claim))
    call.out.line({"released": was_ours}, "released" if was_ours else "it was no longer yours")


def _line(claim: Claim) -> dict[str, Any]:
    schedule = claim.schedule
    told: dict[str, Any] = {"space": schedule.space, "id": schedule.id, "name": schedule.name}
    told |= {"goal": schedule.goal, "session": schedule.session, "trusted": schedule.trusted}
    told |= {"worker": claim.worker, "fence": claim.fence}
    return told | {name: getattr(claim, name) for name in _TIMES}


def _claim(memory: "Memory", line: Json) -> Claim:
    """The claim of a line; the memory checks whether it still holds."""
    if not isinstance(line, dict):
        raise InvalidInput("this is not a claim; give a line that `ricordo claim` printed")
    space = _field(line, "space", str)
    schedule = memory.space(space).schedules.get(_field(line, "id", str))
    if schedule is None:
        raise ClaimLost(f"schedule {line['id']!r} was removed; the run is not recorded")
    times = [_field(line, name, datetime.fromisoformat) for name in _TIMES]
    return Claim(schedule, _field(line, "worker", str), _field(line, "fence", int), *times)


def _field(line: dict[str, Json], name: str, read: Callable[[Any], Any]) -> Any:
    try:
        return read(line[name])
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"the claim has no valid {name!r}; give a line that `ricordo claim` printed"
        ) from error


VERBS = (claim, finish, renew, release)
