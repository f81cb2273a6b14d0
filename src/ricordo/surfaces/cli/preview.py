"""Preview: how `--dry-run` prints what a verb would delete."""

from typing import TYPE_CHECKING

from ricordo.model import Receipt

if TYPE_CHECKING:
    from ricordo.surfaces.cli.context import Call


def show(call: "Call", planned: Receipt) -> None:
    """Print a planned receipt, and note that nothing was changed."""
    told = {
        "space": planned.space,
        "target": planned.target,
        "would_remove": planned.removed,
        "dry_run": True,
    }
    if planned.entries:
        told["entries"] = planned.entries
    listed = [("entry", name) for name in planned.entries]
    rows = [("would go", planned.target), *listed, *planned.removed.items()]
    call.out.table(told, ("what", "would go"), rows)
    call.out.note("nothing was changed")
