"""What would go: how `--dry-run` of the verbs that remove is printed."""

from typing import TYPE_CHECKING

from ricordo.model import Receipt

if TYPE_CHECKING:
    from ricordo.surfaces.cli.context import Call


def show(call: "Call", planned: Receipt) -> None:
    """Print it as a receipt is printed, and say that it is none."""
    told = {
        "space": planned.space,
        "target": planned.target,
        "would_remove": planned.removed,
        "dry_run": True,
    }
    rows = [("would go", planned.target), *planned.removed.items()]
    call.out.table(told, ("what", "would go"), rows)
    call.out.note("nothing was changed")
