"""Where the key of an encrypted file comes from: the caller, a file, the environment, a keyring."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ricordo.errors import InvalidInput, NotFound, Unavailable, WrongKey
from ricordo.model import KeyGiven
from ricordo.store.sqlite.cipher import Secret, find_cipher, is_encrypted

VARIABLE = "RICORDO_KEY"
_SERVICE = "ricordo"  # the user of an entry in the keyring is the path of the file
_NEXT = "#new"  # behind it, while the key is being changed
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_MOST = 4_096  # bytes of a key file
_HEX_BYTES = 32


def find_secret(path: str, given: KeyGiven | None, key_file: str) -> Secret | None:
    """The first key there is: the one given, a key file, the environment, the keyring."""
    if given is not None:
        return Secret(given)
    if key_file:
        return Secret(read_key_file(key_file))
    if (word := os.environ.get(VARIABLE)) is not None:
        return Secret(word.strip())
    return _ask_keyring(path) if is_encrypted(path) else None


def read_key_file(path: str) -> str:
    """The key in a file that only its owner can read: hexadecimal digits or a passphrase."""
    file = Path(path).expanduser()
    try:
        if os.name == "posix" and file.stat().st_mode & _OTHERS:
            raise InvalidInput(f"others may read the key file {path}; run: chmod 600 {path}")
        with file.open("rb") as stream:
            content = stream.read(_MOST + 1)
    except FileNotFoundError as error:
        raise NotFound(f"there is no key file {path}; give the right path") from error
    except OSError as error:
        raise InvalidInput(f"the key file {path} cannot be read: {error.strerror}") from error
    if len(content) > _MOST:
        raise InvalidInput(f"the key file {path} has more than {_MOST} bytes; give another one")
    try:
        word = content.decode().strip("\r\n")
        Secret(word)
        return word
    except ValueError as error:
        raise InvalidInput(
            f"the key file {path} holds no key; write 64 hexadecimal digits or a passphrase to it: "
            f"openssl rand -hex 32 > {path}"
        ) from error


def make_key_file(path: str) -> str:
    """A new key in a new file that only its owner can read, synced before it is used."""
    word = os.urandom(_HEX_BYTES).hex()
    try:
        made = os.open(Path(path).expanduser(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as error:
        raise InvalidInput(f"no key file can be made at {path}: {error.strerror}") from error
    with os.fdopen(made, "w", encoding="ascii") as stream:
        stream.write(word + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    return word


@contextlib.contextmanager
def keep_in_keyring(path: str) -> Iterator[str]:
    """A new key in the keyring of the system. The old one stays there until the work is done."""
    keyring = _load_keyring()
    if keyring is None:
        raise Unavailable('the keyring is not installed; run: pip install "ricordo[keyring]"')
    word, name = os.urandom(_HEX_BYTES).hex(), _name(path)
    try:
        keyring.set_password(_SERVICE, name + _NEXT, word)
        yield word
        keyring.set_password(_SERVICE, name, word)
        keyring.delete_password(_SERVICE, name + _NEXT)
    except keyring.errors.KeyringError as error:
        raise Unavailable(f"the keyring keeps no key: {error}; use a key file") from error


def _ask_keyring(path: str) -> Secret | None:
    """The key in the keyring that opens the file; whoever was to change it may have been killed."""
    keyring = _load_keyring()
    if keyring is None:
        return None
    secret = None
    for name in (_name(path), _name(path) + _NEXT):
        try:
            word = keyring.get_password(_SERVICE, name)
        except keyring.errors.KeyringError:
            return secret  # locked, or there is none on this machine
        if word:
            secret = Secret(word)
            with contextlib.suppress(WrongKey):
                find_cipher(path, secret)
                return secret
    return secret


def _name(path: str) -> str:
    return str(Path(path).resolve())


def _load_keyring() -> Any:  # Any: an optional package
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    return keyring
