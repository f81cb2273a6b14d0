"""The verb audit: which token of a server wrote or forgot what."""

from itertools import islice

import click

from ricordo.surfaces.cli.context import Call, confirm, verb
from ricordo.surfaces.cli.verbs.tokens import TOKENS_OPTION, find_tokens

_MOST = 50


@verb(
    "audit",
    "ricordo audit",
    "ricordo audit --space ana --token phone --limit 200",
    "ricordo audit --erase --space ana --yes",
)
@click.option("--token", help="Only what the token of this name did.")
@click.option("--limit", type=click.IntRange(1), default=_MOST, show_default=True)
@click.option("--erase", is_flag=True, help="Delete the rows of --space, or all rows.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@TOKENS_OPTION
def audit(
    call: Call, token: str | None, limit: int, erase: bool, yes: bool, tokens_path: str | None
) -> None:
    """Print which token of a server wrote or forgot what, newest first.

    Each line holds time (UTC), token, space, action, names or ids, and the request. With --space
    only those of the space. The log holds no texts, and the newest 4 to 8 MiB of rows.
    """
    log = find_tokens(tokens_path).audit
    space = call.space_given
    if erase:
        what = "all rows" if space is None else f"the rows of {space}"
        if not yes:
            confirm(f"Delete {what} of the audit log?", f"deleting {what}")
        gone = log.erase(space)
        call.out.line({"erased": gone}, str(gone))
        return
    found = list(islice(log.read(space=space, token=token), limit))
    titles = ("time", "token", "space", "action", "target", "request")
    rows = [(r.at, r.token, r.space, r.action, r.target, r.request) for r in found]
    call.out.table(found, titles, rows)


VERBS = (audit,)
