"""`ricordo hook EVENT`: one event of a host, read from stdin and answered on stdout.

It never stands in the host's way. Whatever goes wrong, the exit code is 0, stdout stays empty and
one line on stderr says what happened, without a word of what was said. It gives up after a few
seconds, also while another process holds the memory locked.
"""

import contextlib
import getopt
import json
import os
import sys
import threading
from functools import partial
from typing import NamedTuple

LONGEST_INPUT = 20_000_000  # bytes
TIMEOUT_SECONDS = 5.0
LONGEST_WAIT_SECONDS = 600
_OFF = ("0", "off", "no", "false")
_UNKNOWN = "nothing was answered; what it was given may be kept or not"
_OWN = ("db=", "space=", "config=", "approve", "timeout=")
_COMMON = ("json", "quiet", "embedder=")  # of every verb; without effect here
HELP = f"""\
usage: ricordo hook EVENT [--db PATH] [--space NAME] [--config FILE] [--approve]
                            [--timeout SECONDS]

Answer one event of a coding host: JSON on stdin, JSON on stdout.

  EVENT       SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, Stop,
              PreCompact, SessionEnd
  --db        the memory; default: RICORDO_DB
  --space     the space; default: auto, which is RICORDO_SPACE, or the project's folder
  --config    a TOML file with settings; default: RICORDO_CONFIG
  --approve   let allowed commands pass without asking
  --timeout   seconds until it gives up; default: {TIMEOUT_SECONDS:g}
  --json, --quiet, --embedder   taken as by every verb, without effect here

Example: echo '{{"session_id": "s", "prompt": "Hello"}}' | ricordo hook UserPromptSubmit"""


def main(words: list[str]) -> int:
    """Run one hook; the exit code is always 0, as a host may take any other for a denial."""
    if "--help" in words or "-h" in words:
        _print(HELP)
        return 0
    try:
        options = _options(words)
    except (getopt.GetoptError, ValueError) as error:
        _complain(f"{error}; see ricordo hook --help")
        return 0
    if os.environ.get("RICORDO_HOOKS", "").lower() in _OFF:
        return 0
    watch = threading.Timer(options.timeout, _give_up, [options.timeout])
    watch.daemon = True
    watch.start()
    try:
        answer = _run(options)
    except Exception as error:  # noqa: BLE001 - a host must go on in any case
        _complain(_describe_error(error))
        return 0
    finally:
        watch.cancel()
    if answer:
        _print(answer)
    return 0


def _run(options: "_Options") -> str:
    from ricordo.errors import InvalidInput
    from ricordo.surfaces.hooks import claude_code
    from ricordo.surfaces.project_space import choose_space

    if options.event not in claude_code.EVENTS:
        raise InvalidInput(
            f"unknown event {options.event!r}; use one of {', '.join(claude_code.EVENTS)}"
        )
    raw = sys.stdin.buffer.read(LONGEST_INPUT + 1)
    if len(raw) > LONGEST_INPUT:
        raise InvalidInput(f"the input has more than {LONGEST_INPUT:,} bytes")
    told = claude_code.HostEvent.of(raw.decode("utf-8", "replace"))
    path = options.db or os.environ.get("RICORDO_DB") or _home()
    engine = _open(path, options.config)
    try:
        space = choose_space(options.space, told.cwd)
        place = claude_code.HookTarget(engine, space, options.approve, partial(_ask, path))
        answer = claude_code.EVENTS[options.event](place, told)
    finally:
        engine.store.close()
    return "" if answer is None else json.dumps(answer)  # ASCII: any locale can print it


def _ask(memory: str, space: str, query: str, kinds: tuple[str, ...]):  # type: ignore[no-untyped-def]  # as `_open`
    from ricordo.surfaces.hooks import ask_server

    return ask_server.recall(memory, space, query, kinds)


def _open(path: str, config: str | None):  # type: ignore[no-untyped-def]  # Engine: its import is what costs
    if "://" in path:
        from ricordo.handles.memory import open as open_memory

        return open_memory(path, embedder="none", config=config)._engine  # a server takes its time
    from ricordo.config import load
    from ricordo.flows.hooks import events as hook_events

    return hook_events.open_engine(path, load(config))


def _home() -> str:
    """The memory in the user's data folder, as for every other command."""
    from platformdirs import user_data_path

    folder = user_data_path("ricordo", appauthor=False)
    folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    return str(folder / "agent.db")


class _Options(NamedTuple):
    event: str
    db: str | None
    space: str | None
    config: str | None
    approve: bool
    timeout: float


def _options(words: list[str]) -> _Options:
    """Read the command line without click, which takes longer to import."""
    known, events = getopt.gnu_getopt(words, "", [*_OWN, *_COMMON])
    if len(events) != 1:
        raise ValueError(f"give one event, not {len(events)}")
    given = dict(known)
    return _Options(
        event=events[0],
        db=given.get("--db"),
        space=given.get("--space"),
        config=given.get("--config") or os.environ.get("RICORDO_CONFIG") or None,
        approve="--approve" in given,
        timeout=_seconds(given.get("--timeout", str(TIMEOUT_SECONDS))),
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_WAIT_SECONDS:
        raise ValueError(
            f"--timeout {text} is not valid; give more than 0 and at most {LONGEST_WAIT_SECONDS}"
        )
    return seconds


def _give_up(seconds: float) -> None:
    """End the process from another thread: what it waits for may never come."""
    _complain(f"not finished within {seconds:g} s; {_UNKNOWN}")
    os._exit(0)


def _describe_error(error: Exception) -> str:
    """An error in one line; of foreign errors only the type, as they may quote content."""
    from ricordo.errors import RicordoError

    if isinstance(error, RicordoError):
        return " ".join(str(error).split())[:300]
    return f"{type(error).__name__}; {_UNKNOWN}"


def _complain(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        os.write(2, f"ricordo hook: {text}\n".encode("utf-8", "replace"))


def _print(answer: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # None if it was closed
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()
