"""Wishes: what callers want remembered, checked before anything is written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from typing import Any

from ricordo.config import Settings
from ricordo.core.conversation import importance
from ricordo.core.text import content as text
from ricordo.core.text import tags
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.engine import Engine, check_name, one_of, whole
from ricordo.flows.writing.free_json import pack_metadata
from ricordo.model import KINDS, ORIGINS, Json
from ricordo.store.codec import LAST, micros, moment

NEVER = "never"


@dataclass(frozen=True, slots=True)
class EntryWish:
    """What a caller wants remembered. None keeps what an existing entry has."""

    content: str
    name: str | None = None
    kind: str = "note"
    category: str | None = None
    tags: Iterable[str] | None = None
    aliases: Iterable[str] = ()
    origin: str | None = None
    source: str | None = None
    importance: float | None = None
    metadata: Mapping[str, Json] | None = None
    expires_at: datetime | str | None = None  # or "never"
    pin: bool | None = None
    mute: bool | None = None
    embed_name: bool | None = None
    replace: bool = True
    at: datetime | None = None  # when it was learnt; None for now
    ttl: float | timedelta | None = None  # seconds until it expires
    if_revision: int | None = None  # the revision that it has to have; 0 for none


def read_wishes(given: object, settings: Settings) -> list[EntryWish]:
    """The wishes of a batch: texts, or objects with the options of `remember`."""
    listed = check_list(given, "entries")
    if len(listed) > settings.max_batch:
        raise InvalidInput(f"{len(listed):,} entries are too many; give {settings.max_batch:,}")
    return [_read_wish(each) for each in listed]


def _read_wish(given: object) -> EntryWish:
    if isinstance(given, str):
        return EntryWish(given)
    if not isinstance(given, Mapping):
        raise InvalidInput(f"{shorten(given)} is not an entry; give a text, or an object with one")
    known = EntryWish.__slots__
    if wrong := [key for key in given if key not in known]:
        raise InvalidInput(f"an entry has no {shorten(wrong[0])}; use {', '.join(known)}")
    if "content" not in given:
        raise InvalidInput(f"an entry has no content: {shorten(given)}; say what to remember")
    return EntryWish(**given)


def check_aliases(engine: Engine, given: Iterable[str]) -> list[str]:
    """Aliases that are names, and not more than an entry may have."""
    found = check_list(given, "aliases")
    if len(found) > engine.settings.max_aliases:
        raise too_many_aliases(engine.settings.max_aliases)
    return [check_name(alias, "alias") for alias in found]


def too_many_aliases(most: int) -> InvalidInput:
    """What to raise for an entry with more aliases than it may have."""
    return InvalidInput(f"an entry has up to {most} aliases; choose the ones that matter")


def checked_wish(engine: Engine, wish: EntryWish) -> EntryWish:
    """The wish with everything in it valid and normalised."""
    content = text.clean(wish.content, "content", limit=engine.settings.max_text)
    if not content.strip():
        raise InvalidInput("content is blank; say what to remember, or use forget to remove it")
    if wish.metadata is not None:
        pack_metadata(wish.metadata, engine.settings)
    known = wish.if_revision
    now = 0 if wish.at is None and wish.ttl is None else engine.now()
    return amend_wish(
        wish,
        content=content,
        name=None if wish.name is None else check_name(wish.name, "name"),
        kind=one_of(wish.kind, "kind", KINDS),
        category=None if wish.category is None else check_name(wish.category, "category"),
        tags=None if wish.tags is None else tags.normalise(wish.tags),
        origin=None if wish.origin is None else one_of(wish.origin, "origin", ORIGINS),
        source=None if wish.source is None else text.clean(wish.source, "source", limit=10_000),
        importance=None if wish.importance is None else importance.check_share(wish.importance),
        pin=_check_switch(wish.pin, "pin"),
        mute=_check_switch(wish.mute, "mute"),
        embed_name=_check_switch(wish.embed_name, "embed_name"),
        aliases=check_aliases(engine, wish.aliases),
        expires_at=_check_expiry(wish, now),
        at=_check_past(wish.at, now),
        if_revision=None if known is None else whole(known, "if_revision", 0, 2**31),
    )


def amend_wish(wish: EntryWish, **changes: object) -> EntryWish:
    """The wish with some of it changed."""
    values = {field: getattr(wish, field) for field in EntryWish.__slots__}
    return EntryWish(**(values | changes))


def _check_switch(given: object, what: str) -> bool | None:
    if given is None or isinstance(given, bool):
        return given
    raise InvalidInput(f"{what} is {shorten(given)}; give True or False, or leave it out")


def check_list(
    values: object, what: str
) -> list[Any]:  # Any: what stands in it is checked by others
    if isinstance(values, str):
        raise InvalidInput(f"{what} is one text; pass a list, for example [{values!r}]")
    if not isinstance(values, Iterable):
        raise InvalidInput(f"{what} is {values!r}, not a list; leave it out or pass a list")
    return list(values)


def _check_past(at: datetime | None, now: int) -> datetime | None:
    """When an entry was learnt; the future is not known yet."""
    if at is not None and micros(at) > now:
        raise InvalidInput(
            f"at is {at.isoformat()}, which is still to come; give a time in the past"
        )
    return at


def _check_expiry(wish: EntryWish, now: int) -> datetime | str | None:
    """When an entry expires: a time, "never", or None for what it has."""
    if wish.ttl is None:
        if isinstance(wish.expires_at, str) and wish.expires_at != NEVER:
            raise InvalidInput(f"expires_at is {shorten(wish.expires_at)}; give a time or 'never'")
        if wish.expires_at not in (None, NEVER):
            micros(wish.expires_at)  # type: ignore[arg-type]  # refuses what is not a time
        return wish.expires_at
    if wish.expires_at is not None:
        raise InvalidInput("ttl and expires_at both say when it expires; give one of them")
    seconds = wish.ttl.total_seconds() if isinstance(wish.ttl, timedelta) else wish.ttl
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not isfinite(seconds) or not 0 < seconds * 1e6 <= LAST - now:
        raise InvalidInput(f"ttl is {shorten(wish.ttl)}; give seconds above 0, or a timedelta")
    return moment(now + int(seconds * 1e6))
