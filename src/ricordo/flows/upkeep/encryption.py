"""Encrypt the file of a memory, decrypt it, or give it another key."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ricordo import config
from ricordo.errors import InvalidInput
from ricordo.model import KeyGiven
from ricordo.store.sqlite.cipher import Secret, is_encrypted
from ricordo.store.sqlite.key_sources import (
    find_secret,
    keep_in_keyring,
    make_key_file,
    read_key_file,
)
from ricordo.store.sqlite.reencrypt import reencrypt


def encrypt(path: str, key: KeyGiven) -> None:
    """Write a plain file again with a key."""
    if is_encrypted(path):
        raise InvalidInput(f"{path} is encrypted already; for another key run: ricordo rekey")
    reencrypt(path, None, Secret(key))


def decrypt(path: str, key: KeyGiven | None) -> None:
    """Write an encrypted file again without a key."""
    reencrypt(path, find_present_key(path, key), None)


def rekey(path: str, new: KeyGiven, key: KeyGiven | None) -> None:
    """Write an encrypted file again with another key."""
    reencrypt(path, find_present_key(path, key), Secret(new))


def find_present_key(path: str, given: KeyGiven | None) -> Secret | None:
    """What opens an encrypted file, from wherever keys come."""
    if not is_encrypted(path):
        raise InvalidInput(f"{path} is not encrypted; encrypt it with: ricordo encrypt --db {path}")
    return find_secret(path, given, config.load(None).key_file)


@contextlib.contextmanager
def keep_new_key(path: str, key_file: str | None, *, in_keyring: bool) -> Iterator[str | None]:
    """The key of a file, made where there is none yet; None if neither place is named."""
    if in_keyring:
        with keep_in_keyring(path) as word:
            yield word
    elif key_file is None:
        yield None
    elif Path(key_file).expanduser().exists():
        yield read_key_file(key_file)
    else:
        yield make_key_file(key_file)
