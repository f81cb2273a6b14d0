"""Guesses: words of other programs, and the verb or option that does the same here."""

import click

from ricordo.model.guesses import MEANT
from ricordo.surfaces.cli.verb_table import VERB_OF

# Where the method's verb is not the answer, or several are.
_VERBS = {
    "clear": "ricordo erase --everything",
    "delete": "ricordo forget NAME for an entry, or ricordo chat delete SESSION",
    "edit": "ricordo write",
    "facts": "ricordo list --kind fact",
    "forget-all": "ricordo erase --everything",
    "init": 'ricordo remember "…": the first write creates the memory',
    "messages": "ricordo show SESSION",
    "reminders": "ricordo remind list",
    "remove": "ricordo forget NAME for an entry, or ricordo chat delete SESSION",
    "rm": "ricordo forget NAME for an entry, or ricordo chat delete SESSION",
    "ls": "ricordo list",
    "cat": "ricordo get",
    "start": "ricordo serve",
    "server": "ricordo serve",
    "status": "ricordo stats, ricordo keep --status or ricordo doctor",
    "upcoming": "ricordo remind list or ricordo schedule list",
    "version": "ricordo --version",
}
_OPTIONS = {
    "-k": "--limit",
    "-n": "--limit",
    "--top-k": "--limit",
    "--k": "--limit",
    "--max": "--limit",
    "--max-tokens": "--budget",
    "--user": "--space",
    "--user-id": "--space",
    "--agent": "--space",
    "--agent-id": "--space",
    "--namespace": "--space",
    "--thread": "--session",
    "--file": "--db",
    "--path": "--db",
    "--force": "--yes",
    "-y": "--yes",
    "--ttl": "--expires-at",
    "--min-score": "--abstain",
    "--threshold": "--abstain",
}


def guess_verb(word: str) -> str | None:
    """What to write instead of a word that is not a verb here; None if nobody knows."""
    if word in _VERBS:
        return _VERBS[word]
    methods = MEANT.get(word.replace("-", "_"), ())
    meant = (VERB_OF[method] for method in methods if method in VERB_OF)
    return " or ".join(f"ricordo {verb}" for verb in dict.fromkeys(meant)) or None


def guess_option(option: str, command: click.Command) -> str | None:
    """The option of a command that an option of other programs stands for."""
    meant = _OPTIONS.get(option)
    known = {each for parameter in command.params for each in parameter.opts}
    return meant if meant in known else None
