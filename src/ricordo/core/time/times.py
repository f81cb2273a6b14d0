"""Times: what takes the place of a stored time that no calendar has. Pure: given the present.

The one rule of a salvage: an expiry is dropped, so that nothing goes because of damage. A time of
creation takes the earliest other time of its row, every other time the latest. A row without
another time takes the present.
"""

from collections.abc import Collection, Mapping

_EXPIRY = "expires_at"
_CREATION = "created_at"


def replace_times(
    times: Mapping[str, int | None], wrong: Collection[str], now: int
) -> dict[str, int | None]:
    """All times of a row, those that are wrong replaced by ones that can be trusted."""
    trusted = [
        time
        for name, time in times.items()
        if time is not None and name not in wrong and name != _EXPIRY
    ] or [now]
    taken = {name: max(trusted) for name in wrong}
    replaced = {_EXPIRY: None, _CREATION: min(trusted)}
    return {**times, **taken, **{name: replaced[name] for name in replaced if name in wrong}}
