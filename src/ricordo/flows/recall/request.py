"""Request: a recall as the caller put it, and as it can be carried out once it is checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ricordo.core.conversation import importance
from ricordo.core.recall.first_hits import READ
from ricordo.core.recall.given_vector import read_vector
from ricordo.core.recall.growable import Array
from ricordo.core.recall.where import parse_where
from ricordo.core.text import content, tags
from ricordo.errors import InvalidInput
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.recall.profiles import PROFILES, ProfileSpec, check_profile
from ricordo.flows.recall.scope import Scope
from ricordo.flows.recall.search_input import check_time, check_variety
from ricordo.flows.recall.second_look import check_rerank
from ricordo.flows.recall.shown import Shown
from ricordo.flows.writing.exclusion import check_exclude, check_prefix
from ricordo.model import ASKERS, MODES, ORIGINS, RECALL_KINDS, Asker, Json, Profile
from ricordo.store.tables.search import Filters


@dataclass(frozen=True, slots=True)
class Ask:
    """A recall as the caller put it."""

    query: str
    limit: int = 5
    mode: str = "hybrid"
    kinds: Iterable[str] | None = None
    category: str | None = None
    tags: Iterable[str] | None = None
    session: str | None = None
    since: datetime | str | None = None
    until: datetime | str | None = None
    origins: Iterable[str] | None = None
    profile: str | Profile = "default"
    asker: str | None = "agent"
    abstain: float | None = None
    vector: Iterable[float] | None = None
    exclude: Iterable[str | int] | None = None
    uri: str | None = None
    prefix: str | None = None
    offset: int = 0
    where: Mapping[str, Json] | None = None
    rerank: bool | None = None
    shown: Shown | None = None
    variety: bool | None = None
    as_of: datetime | str | None = None


class RecallPlan(NamedTuple):
    """A recall with everything in it checked."""

    way: ProfileSpec
    profile: Profile
    mode: str
    query: str
    limit: int
    filters: Filters
    asker: Asker | None
    abstain: float | None
    vector: Array | None
    scope: Scope = Scope()
    offset: int = 0  # of the `limit` hits, how many to leave out
    is_varied: bool = False  # near-duplicates go behind the others
    rerank: bool | None = None
    as_of: int | None = None  # what was written later is left out

    @property
    def looks_again(self) -> bool:
        """Whether the first hits are looked at again; the nearest are given as they are."""
        return self.way.is_sure and self.mode != "vector"

    @property
    def depth(self) -> int:
        """How many hits are gathered before the last look at their order."""
        return max(self.limit, READ) if self.looks_again and self.limit else self.limit

    @property
    def is_blank(self) -> bool:
        return self.limit == 0 or not self.query.strip()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for: a vector needs no words."""
        return self.limit == 0 or (self.is_blank and self.vector is None)


def check_request(engine: Engine, ask: Ask) -> RecallPlan:
    """The recall as it can be carried out, or InvalidInput."""
    profile = check_profile(ask.profile)
    way = PROFILES[profile.name]
    mode = one_of(ask.mode, "mode", MODES)
    query = content.clean(ask.query, "query", limit=engine.settings.max_text)
    most = engine.settings.max_limit
    limit, offset = whole(ask.limit, "limit", 0, most), whole(ask.offset, "offset", 0, most)
    plan = RecallPlan(
        way=way,
        profile=profile,
        mode=mode if way.uses_vector else "keyword",
        query=query[: engine.settings.max_query],
        limit=limit + offset if limit else 0,
        filters=_filters(ask, engine.clock()),
        asker=_check_asker(ask),
        abstain=None if ask.abstain is None else importance.check_share(ask.abstain, "abstain"),
        vector=None if ask.vector is None else read_vector(ask.vector),
        scope=_scope(ask),
        offset=offset,
        is_varied=check_variety(ask.variety, mode, can_vary=way.is_varied),
        rerank=check_rerank(ask.rerank),
        as_of=check_time(ask.as_of, engine.clock()),
    )
    _refuse(plan, mode)
    return plan


def _check_asker(ask: Ask) -> Asker | None:
    """Who asks; a look back says nothing about what is of use now, so nobody does."""
    asker = None if ask.asker is None else one_of(ask.asker, "asker", ASKERS)
    return asker if ask.as_of is None else None


def _refuse(plan: RecallPlan, mode: str) -> None:
    """Refuse what does not go together; `mode` is the one that was asked for."""
    way, profile = plan.way, plan.profile
    if plan.vector is not None and plan.mode == "keyword":
        raise InvalidInput(
            f"profile {profile.name!r} in mode {mode!r} compares no vectors; leave vector out, or "
            "use mode 'hybrid' or 'vector' with profile 'default', 'minmax' or 'rrf'"
        )
    if plan.abstain is not None and not way.is_sure:
        raise InvalidInput(
            f"profile {profile.name!r} gives no confidence to abstain by; leave abstain="
            f"{plan.abstain} out, or use profile 'default'"
        )
    if plan.as_of is not None and not way.looks_back:
        raise InvalidInput(
            f"profile {profile.name!r} finds only what is said now; leave as_of out, or use "
            "profile 'default'"
        )
    if way.refuses_blank and plan.is_blank:
        raise InvalidInput(f"profile {profile.name!r} needs a query and a limit of 1 or more")


def _filters(ask: Ask, now: datetime) -> Filters:
    return Filters(
        kinds=_words(ask.kinds, "kinds", RECALL_KINDS),
        category=None if ask.category is None else check_name(ask.category, "category"),
        tags=None if ask.tags is None else tags.normalise(ask.tags),
        session=None if ask.session is None else check_name(ask.session, "session"),
        since=check_time(ask.since, now),
        until=check_time(ask.until, now),
        origins=_words(ask.origins, "origins", ORIGINS),
    )


def _scope(ask: Ask) -> Scope:
    exclude = check_exclude(ask.exclude)
    uri, prefix = check_prefix(ask.uri, "uri"), check_prefix(ask.prefix, "prefix")
    return Scope(exclude, uri, prefix, ask.shown, parse_where(ask.where))


def _words(
    given: Iterable[str] | None, what: str, accepted: tuple[str, ...]
) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, Iterable):
        raise InvalidInput(f"{what} is {given!r}, not a list; use some of {', '.join(accepted)}")
    listed = (given,) if isinstance(given, str) else tuple(given)
    return tuple(one_of(word, what, accepted) for word in listed)
