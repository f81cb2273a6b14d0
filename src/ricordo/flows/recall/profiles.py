"""The profiles of recall: named ways to find and to order candidates."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, one_of
from ricordo.flows.recall import default_profile
from ricordo.flows.recall.compat import crabtalk, nexo, oxydra, pynchy
from ricordo.flows.recall.search_input import Candidate, SearchInput
from ricordo.model import Profile
from ricordo.store.database import Tx


class ProfileSpec(NamedTuple):
    """How a profile finds and orders candidates, and whether it embeds the query."""

    find: Callable[[Engine, Tx, SearchInput], list[Candidate]]
    uses_vector: bool
    refuses_blank: bool = False
    weights: frozenset[str] = frozenset()  # what a caller may set
    is_varied: bool = False  # near-duplicates go behind the others
    is_sure: bool = False  # its hits have a confidence
    looks_back: bool = False  # it finds what was said at a time


PROFILES = {
    "default": ProfileSpec(
        default_profile.by_features,
        uses_vector=True,
        weights=default_profile.FEATURES,
        is_varied=True,
        is_sure=True,
        looks_back=True,
    ),
    "minmax": ProfileSpec(
        oxydra.by_minmax, uses_vector=True, refuses_blank=True, weights=frozenset(oxydra.MINMAX)
    ),
    "rrf": ProfileSpec(nexo.by_rank, uses_vector=True),
    "two_tier": ProfileSpec(pynchy.by_two_tiers, uses_vector=False),
    "bm25": ProfileSpec(crabtalk.by_entries, uses_vector=False),
}


def check_profile(given: str | Profile) -> Profile:
    """The profile with a known name and with weights that can be multiplied."""
    profile = given if isinstance(given, Profile) else Profile(given)
    one_of(profile.name, "profile", tuple(PROFILES))
    if not isinstance(profile.weights, Mapping):
        raise InvalidInput(f"weights {profile.weights!r} are not valid; give names with numbers")
    known = PROFILES[profile.name].weights
    for name, weight in profile.weights.items():
        if name not in known:
            accepted = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
            raise InvalidInput(f"profile {profile.name!r} has no weight {name!r}; {accepted}")
        if not isinstance(weight, int | float) or not math.isfinite(weight):
            raise InvalidInput(f"weight {name!r} is {weight!r}; give a finite number")
    return profile
