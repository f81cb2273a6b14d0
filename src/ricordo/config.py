"""Settings of a memory, from a file, a mapping or the environment."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ricordo.errors import InvalidInput

PREFIX = "RICORDO_"
SCHEDULES = "schedules"  # tables of a configuration: see flows/time/declared_schedules
# Read by the command line, hooks, embedders and chat models, or given to what run-due runs.
_OTHERS = (
    *("DB", "SPACE", "CONFIG", "TOKENS", "HOOKS", "TRACE", "EMBED_KEY", "CHAT_KEY", "KEY"),
    *("GOAL", "SCHEDULE", "SESSION", "FENCE", "TRUSTED"),
)
_WORDS = {"importance": ("role", "heuristic"), "telemetry": ("off", "spans", "contents")}
_MAY_BE_OFF = (  # by 0
    *("summaries_kept", "max_signals", "signal_days", "event_days", "revision_days", "daily_days"),
    *("summarize_minutes", "consolidate_hours", "dream_hours", "sync_minutes"),
    *("upkeep_hours", "backup_hours", "compact_at"),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default. `docs/settings.md` says when to change one."""

    embedder: str = "bundled"
    key_file: str = ""  # the file with the key of an encrypted memory; "" for none
    durability: str = "full"  # "normal" is faster and may lose the last commits on power loss
    importance: str = "role"  # or "heuristic": words and length count too
    recent_cap: int = 50  # events kept at hand per session
    recent_sessions: int = 1_000  # sessions kept at hand
    cache_mb: int = 512  # RAM for the views of spaces
    max_text: int = 10_000_000  # characters of one message or entry
    max_query: int = 10_000  # characters of a query; the rest is not read
    max_limit: int = 1_000  # hits of one recall
    rerank: bool = True  # whether a model reads the first hits of a recall with the question
    max_batch: int = 100_000  # messages of one extend
    max_aliases: int = 100  # other names of one entry
    max_depth: int = 100  # levels of JSON in metadata, tool calls and message parts
    max_metadata: int = 4_194_304  # bytes of JSON in metadata, and in tool calls
    max_record: int = 67_108_864  # bytes of the value of one record
    max_schedules: int = 50  # schedules of one space, in any state
    min_interval_seconds: int = 60  # between two runs of a schedule
    runs_kept: int = 20  # runs kept of each schedule
    summaries_kept: int = 20  # earlier summaries kept of each session; 0 for none
    max_signals: int = 32  # signals kept of each entry, about; 0 for all of them
    signal_days: int = 90  # how long signals are kept; 0 for ever, as with the other days
    event_days: int = 0  # how long events are kept once they have been consolidated
    revision_days: int = 0  # how long it is kept what an entry said before
    daily_days: int = 0  # how long entries of category "daily" are kept
    dream_min_score: float = 0.35  # the gates of a sweep: the least score of a promotion,
    dream_min_recalls: int = 3  # how often users or agents have to recall an entry,
    dream_min_queries: int = 2  # and by how many distinct queries
    dream_cap: int = 20  # promotions of one sweep
    dream_half_life_days: float = 7.0  # after so long without a recall an entry is half as recent
    workspace: str = ""  # the folder in which each space has its files; "" for none
    workspace_git: bool = False  # whether those files have a history in git
    macro_half_life_days: int = 30  # after so long without use a macro is half as sure
    index_tool_arguments: bool = True  # False: only the names of called tools are searchable
    hooks_user_space: str = ""  # the user's own space, which hooks read beside the project's
    keep: bool = True  # whether the memory does its background work by itself
    chat_model: str = ""  # the chat server that summarises and consolidates; "" for none
    context_budget: int = 4_000  # tokens of a context; a log that outgrows it is summarised
    compact_at: float = 0.0  # of context_budget: a log longer than that is compacted; 0 for never
    summarize_minutes: int = 2  # between two looks for sessions to summarise; 0 for never, as below
    consolidate_hours: int = 6  # between two passes over old events
    dream_hours: int = 24  # between two sweeps
    sync_minutes: int = 5  # between two syncs of the workspace
    upkeep_hours: int = 24  # between two rounds of upkeep
    backup_hours: int = 24  # between two backups
    backup_folder: str = ""  # where backups go; "" for none
    backups_kept: int = 7  # backups kept in that folder
    telemetry: str = "off"  # "spans" for OpenTelemetry, "contents" with texts in them


def load(config: object) -> Settings:
    """Settings from None, a path to a TOML file, a mapping, or Settings; then the environment."""
    if isinstance(config, Settings):
        return config
    values = _read(config)
    values.pop(SCHEDULES, None)  # what the file declares is not a setting
    known = {field.name: field.type for field in fields(Settings)}
    for key in values:
        if key not in known:
            import difflib  # late, like tomllib: a hook starts without either

            near = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise InvalidInput(f"unknown setting {key!r}; {hint}")
    for name in known:
        text = os.environ.get(PREFIX + name.upper())
        if text is not None:
            values[name] = text
    settings = Settings()
    for name, accepted in _WORDS.items():
        if values.get(name, accepted[0]) not in accepted:
            told = " or ".join(map(repr, accepted))
            raise InvalidInput(f"setting {name} = {values[name]!r} is not valid; use {told}")
    given: dict[str, Any] = {n: _as(n, v, getattr(settings, n)) for n, v in values.items()}
    return replace(settings, **given)


def read_schedules(config: object) -> object:
    """What a configuration declares as schedules, unchecked; None if there is nothing."""
    return None if isinstance(config, Settings) else _read(config).get(SCHEDULES)


def origins(config: object) -> dict[str, str]:
    """Where each setting comes from: "environment", "file" or "default"."""
    given = {} if isinstance(config, Settings) else _read(config)
    found = {}
    for field in fields(Settings):
        is_given = "file" if field.name in given else "default"
        is_set = PREFIX + field.name.upper() in os.environ
        found[field.name] = "environment" if is_set else is_given
    return found


def unknown_variables() -> dict[str, str | None]:
    """Names in the environment that begin like ours and mean nothing, each with its likeness."""
    known = {*_OTHERS, *(field.name.upper() for field in fields(Settings))}
    ours = sorted(name.removeprefix(PREFIX) for name in os.environ if name.startswith(PREFIX))
    unknown = [name for name in ours if name not in known]
    if not unknown:
        return {}
    import difflib  # late: hardly anybody needs it

    near = {name: difflib.get_close_matches(name, known, n=1) for name in unknown}
    return {PREFIX + name: PREFIX + found[0] if found else None for name, found in near.items()}


def _read(config: object) -> dict[str, Any]:
    if config is None:
        return {}
    if isinstance(config, Mapping):
        return dict(config)
    if isinstance(config, (str, Path)):
        import tomllib

        try:
            return tomllib.loads(Path(config).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidInput(f"settings cannot be read from {str(config)!r}: {error}") from error
    raise InvalidInput(f"config {config!r} is not valid; give a path, a mapping or Settings")


def _as(name: str, value: object, default: object) -> object:
    """The value in the type of its default; text from the environment is read."""
    if isinstance(default, bool):
        if isinstance(value, str) and value.lower() in ("1", "true", "yes", "0", "false", "no"):
            return value.lower() in ("1", "true", "yes")
        if isinstance(value, bool):
            return value
    elif isinstance(default, int):
        if isinstance(value, str) and value.isdigit():
            value = int(value)
        least = 0 if name in _MAY_BE_OFF else 1
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
    elif isinstance(default, float):
        return _number(name, value, default)
    elif isinstance(value, str):
        return value
    raise InvalidInput(f"setting {name} = {value!r} is not valid; its default is {default!r}")


def _number(name: str, value: object, default: float) -> float:
    """A number above zero, whole or not; zero as well where it turns something off."""
    try:
        found = float(value) if isinstance(value, str | int | float) else math.nan
    except ValueError:
        found = math.nan
    may_be_off = name in _MAY_BE_OFF
    is_enough = found > 0 or (found == 0 and may_be_off)
    if isinstance(value, bool) or not math.isfinite(found) or not is_enough:
        example = "0 or a number above it" if may_be_off else f"a number above 0 such as {default}"
        raise InvalidInput(f"setting {name} = {value!r} is not valid; give {example}")
    return found
