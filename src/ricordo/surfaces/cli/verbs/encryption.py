"""Verbs for encrypted files: encrypt, decrypt, rekey."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ricordo.errors import InvalidInput, KeyNeeded
from ricordo.surfaces.cli.complete import complete_files
from ricordo.surfaces.cli.context import Call, confirm, verb
from ricordo.surfaces.progress import Progress

_STOPPED = "the memory is as it was"


def _add_key_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Where the new key is kept."""
    function = click.option(
        "--keyring", is_flag=True, help="Make a key and keep it in the keyring of the system."
    )(function)
    return click.option(
        "--key-file",
        metavar="PATH",
        shell_complete=complete_files,
        help="The file with the key; a new one gets a random key.",
    )(function)


@verb("encrypt", "ricordo encrypt --key-file agent.key", "ricordo encrypt --keyring")
@_add_key_options
def encrypt(call: Call, key_file: str | None, keyring: bool) -> None:
    """Encrypt the file of the memory.

    End every process that has it open first. Keep the key: without it nothing can be read again.
    Without an option the key is that of RICORDO_KEY_FILE or RICORDO_KEY; on a terminal you are
    asked for a passphrase.
    """
    import ricordo

    with (
        _keep_key(call, key_file, keyring, is_first=True) as word,
        Progress("encrypting", call.out, _STOPPED),
    ):
        ricordo.encrypt(call.path, word)
    _tell(call, "encrypted", key_file, keyring)


@verb("rekey", "ricordo rekey --key-file new.key", "ricordo rekey --keyring")
@_add_key_options
def rekey(call: Call, key_file: str | None, keyring: bool) -> None:
    """Encrypt the memory with another key.

    The present key comes from RICORDO_KEY_FILE, RICORDO_KEY or the keyring. It still opens backups
    that were made before.
    """
    import ricordo

    with (
        _keep_key(call, key_file, keyring, is_first=False) as word,
        Progress("encrypting", call.out, _STOPPED),
    ):
        ricordo.rekey(call.path, word)
    _tell(call, "encrypted with the new key", key_file, keyring)


@verb("decrypt", "ricordo decrypt --yes")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def decrypt(call: Call, yes: bool) -> None:
    """Make the encrypted memory a plain file again.

    The key comes from RICORDO_KEY_FILE, RICORDO_KEY or the keyring.
    """
    import ricordo

    if not yes:
        confirm(f"Write {call.path} without encryption?", "decrypting")
    with Progress("decrypting", call.out, _STOPPED):
        ricordo.decrypt(call.path)
    call.out.line({"path": call.path, "encrypted": False}, f"{call.path}\tdecrypted")


@contextmanager
def _keep_key(call: Call, key_file: str | None, keyring: bool, *, is_first: bool) -> Iterator[str]:
    from ricordo.handles.encryption import keep_new_key

    if key_file is not None and keyring:
        raise click.UsageError("Give --key-file or --keyring.")
    if is_first and not keyring:
        key_file = key_file or call.settings().key_file or None
    with keep_new_key(call.path, key_file, in_keyring=keyring) as word:
        yield word or (os.environ.get("RICORDO_KEY") if is_first else None) or _ask()


def _ask() -> str:
    """A passphrase from the terminal, never from the command line, where others can see it."""
    if not sys.stdin.isatty():
        raise KeyNeeded("no key was given; add --key-file PATH, or set RICORDO_KEY_FILE")
    word: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True, err=True)
    if not word.strip():
        raise InvalidInput("the passphrase is blank; give another")
    return word


def _tell(call: Call, done: str, key_file: str | None, keyring: bool) -> None:
    call.out.line({"path": call.path, "encrypted": True}, f"{call.path}\t{done}")
    if keyring:
        call.out.note("the key is in the keyring; keep a copy elsewhere")
    elif key_file:
        call.out.note(f"set RICORDO_KEY_FILE={key_file} from now on, and keep a copy of that file")


VERBS = (encrypt, decrypt, rekey)
