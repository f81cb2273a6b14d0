"""Requests: what callers want done with records, checked before a transaction begins."""

import builtins
from collections.abc import Iterable, Mapping
from datetime import timedelta
from math import isfinite
from typing import Any, NamedTuple

from ricordo.config import Settings
from ricordo.core.text import content
from ricordo.core.text.record_paths import Path, check_key, check_path, check_size, encode_path
from ricordo.errors import InvalidInput, shorten
from ricordo.flows.engine import one_of, shallow, whole
from ricordo.flows.writing.free_json import pack_metadata
from ricordo.flows.writing.record_rows import NO_TEXTS
from ricordo.model import ORIGINS, Json, Origin
from ricordo.store.codec import LAST, copy_json, dumps
from ricordo.store.tables.records import Address

MOST_TEXTS = 100
_SECOND = 1_000_000
_PUT_OPTIONS = dict.fromkeys(("texts", "metadata", "origin", "ttl", "if_revision")) | {
    "if_absent": False
}
_OF_RECORD = frozenset(("key", "value", *_PUT_OPTIONS))
_OF_PUT = frozenset(("put", "value", *_PUT_OPTIONS))
_VERBS = frozenset(("put", "get", "delete"))


class PutRequest(NamedTuple):
    """A value to be kept, and on what condition."""

    address: Address
    value: str | None
    copy: Json  # what the value says, read back
    bytes: builtins.bytes | None
    texts: str
    metadata: str
    origin: Origin
    ttl: int | None
    if_revision: int | None
    if_absent: bool


class GetRequest(NamedTuple):
    """A record to be read, where other requests of a batch have left it."""

    address: Address


class DeleteRequest(NamedTuple):
    """A record to be deleted."""

    address: Address


Request = PutRequest | GetRequest | DeleteRequest


class RecordWish(NamedTuple):
    """What a caller wants kept under a key."""

    value: Json | bytes
    texts: str | Iterable[str] | None = None
    metadata: Mapping[str, Json] | None = None
    origin: str | None = None
    ttl: float | timedelta | None = None
    if_revision: int | None = None
    if_absent: bool = False


def read_path(given: object) -> Path:
    """The path of a handle, or InvalidInput."""
    found = check_path(given)
    check_size(encode_path(found), "")
    return found


def locate(path: Path, key: object) -> Address:
    """Where a key stands that is given to the handle of a path."""
    *inner, name = check_key(key)
    whole_path = encode_path((*path, *inner))
    check_size(whole_path, name)
    return whole_path, name


def read_put(settings: Settings, address: Address, wish: RecordWish) -> PutRequest:
    """The request of a put, or InvalidInput."""
    value, copy, raw = _pack(settings, wish.value)
    known = wish.if_revision
    if not isinstance(wish.if_absent, bool):
        raise InvalidInput(f"if_absent is {shorten(wish.if_absent)}; give True or False")
    if known is not None and wish.if_absent:
        raise InvalidInput("if_absent and if_revision exclude each other; give one of them")
    return PutRequest(
        address,
        value,
        copy,
        raw,
        _pack_texts(settings, wish.texts),
        "" if wish.metadata is None else pack_metadata(wish.metadata, settings),
        "agent" if wish.origin is None else one_of(wish.origin, "origin", ORIGINS),
        None if wish.ttl is None else read_ttl(wish.ttl),
        None if known is None else whole(known, "if_revision", 0, 2**31),
        wish.if_absent,
    )


def read_many(settings: Settings, path: Path, given: object) -> list[Request]:
    """The puts of many records: a mapping of values by key, pairs, or objects with options."""
    listed = given.items() if isinstance(given, Mapping) else _list(given, "records", settings)
    found: list[Request] = []
    for each in listed:
        if isinstance(each, Mapping):
            if "key" not in each or "value" not in each:
                raise InvalidInput(f"{shorten(each)} is not a record; give it a key and a value")
            found.append(_read_options(settings, path, each["key"], each, _OF_RECORD))
        elif isinstance(each, tuple | list) and len(each) == 2:
            wish = RecordWish(each[1])
            found.append(read_put(settings, locate(path, each[0]), wish))
        else:
            raise InvalidInput(
                f"{shorten(each)} is not a record; give (key, value), or an object with both"
            )
    return found


def read_batch(settings: Settings, path: Path, given: object) -> list[Request]:
    """The requests of a mixed batch: {"put": key, "value": …}, {"get": key} or {"delete": key}."""
    return [_read_step(settings, path, each) for each in _list(given, "a batch", settings)]


def _read_step(settings: Settings, path: Path, given: object) -> Request:
    verbs = _VERBS & given.keys() if isinstance(given, Mapping) else ()
    if not isinstance(given, Mapping) or len(verbs) != 1:
        raise InvalidInput(
            f"{shorten(given)} is not a step of a batch; give {{'put': key, 'value': …}}, "
            "{'get': key} or {'delete': key}"
        )
    (verb,) = verbs
    if verb == "put":
        if "value" not in given:
            raise InvalidInput(f"{shorten(given)} puts no value; give one, or delete the key")
        return _read_options(settings, path, given["put"], given, _OF_PUT)
    if len(given) > 1:
        raise InvalidInput(f"{shorten(given)} has more than a key to {verb}; leave the rest out")
    address = locate(path, given[verb])
    return GetRequest(address) if verb == "get" else DeleteRequest(address)


def _read_options(
    settings: Settings,
    path: Path,
    key: object,
    given: Mapping[str, Any],  # Any: checked one by one
    expected: frozenset[str],
) -> PutRequest:
    if not given.keys() <= expected:
        wrong = next(name for name in given if name not in expected)
        raise InvalidInput(f"a record has no {shorten(wrong)}; use {', '.join(_PUT_OPTIONS)}")
    options = [given.get(name, default) for name, default in _PUT_OPTIONS.items()]
    return read_put(settings, locate(path, key), RecordWish(given["value"], *options))


def check_keys(settings: Settings, given: object) -> list[Any]:  # Any: checked one by one
    """A list of keys, or InvalidInput."""
    return _list(given, "keys", settings)


def read_ttl(given: object) -> int:
    """Microseconds until something expires, or InvalidInput."""
    seconds = given.total_seconds() if isinstance(given, timedelta) else given
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not isfinite(seconds) or not 0 < seconds * _SECOND <= LAST // 2:  # type: ignore[arg-type, operator]
        raise InvalidInput(f"ttl is {shorten(given)}; give seconds above 0, or a timedelta")
    return max(1, int(seconds * _SECOND))  # type: ignore[operator]


def _list(given: object, what: str, settings: Settings) -> list[Any]:  # Any: checked by others
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InvalidInput(f"{what} is {shorten(given)}; give a list")
    listed = list(given)
    if len(listed) > settings.max_batch:
        raise InvalidInput(f"{what} has {len(listed):,} items; give up to {settings.max_batch:,}")
    return listed


def _pack(settings: Settings, value: object) -> tuple[str | None, Json, bytes | None]:
    """A value as it is kept: JSON text with what it says, or bytes."""
    if isinstance(value, bytes | bytearray | memoryview):
        raw = bytes(value)
        _check_room(len(raw), settings)
        return None, None, raw
    text, copy = copy_json(value, "value")
    _check_room(len(text) if text.isascii() else len(text.encode()), settings)
    if text.count("{") + text.count("[") > settings.max_depth:
        shallow(value, "value", settings.max_depth)
    return text, copy, None


def _check_room(size: int, settings: Settings) -> None:
    if size > settings.max_record:
        raise InvalidInput(
            f"value takes {size:,} bytes, the limit is {settings.max_record:,}; keep less in one "
            "record, or raise the setting max_record"
        )


def _pack_texts(settings: Settings, given: object) -> str:
    """The texts that a record is found by, as JSON; blank ones are left out."""
    if given is None or (isinstance(given, list) and not given):
        return NO_TEXTS
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, Iterable):
        raise InvalidInput(f"texts is {shorten(given)}; give a text or a list of texts")
    texts = [content.clean(each, "a text", limit=settings.max_text) for each in listed]
    if len(texts) > MOST_TEXTS:
        raise InvalidInput(f"texts has {len(texts)} texts; give up to {MOST_TEXTS}")
    return dumps([text for text in texts if text.strip()], "texts")
