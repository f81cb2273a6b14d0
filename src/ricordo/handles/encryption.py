"""Encrypt the file of a memory, decrypt it, or give it another key. Nobody may have it open."""

from pathlib import Path

from ricordo.flows.upkeep import encryption as change
from ricordo.flows.upkeep.encryption import keep_new_key
from ricordo.model import KeyGiven

__all__ = ["decrypt", "encrypt", "keep_new_key", "rekey"]


def encrypt(path: str | Path, key: KeyGiven) -> None:
    """Encrypt the file of a memory; a crash leaves the plain file or the encrypted one, whole."""
    change.encrypt(str(path), key)


def decrypt(path: str | Path, key: KeyGiven | None = None) -> None:
    """Make an encrypted memory a plain one."""
    change.decrypt(str(path), key)


def rekey(path: str | Path, new: KeyGiven, key: KeyGiven | None = None) -> None:
    """Encrypt with the key `new` instead of `key`, which then opens the file no more."""
    change.rekey(str(path), new, key)
