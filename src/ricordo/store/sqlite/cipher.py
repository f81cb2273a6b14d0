"""Encrypted files: what opens one, whether a key is the right one, and what its pages hold."""

import functools
import hashlib
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import apsw

from ricordo.errors import InvalidInput, KeyNeeded, Unavailable, WrongKey, shorten
from ricordo.model import KeyGiven
from ricordo.store.sqlite import chacha20
from ricordo.store.sqlite.raw_files import read_blocks

MAGIC = b"SQLite format 3\0"
SALT = 16
_KEY = 32
_HEX = 2 * _KEY
_SHAPE = bytes((chacha20.TAIL, 64, 32, 32))  # bytes 20 to 23 of an encrypted file, in the clear
_PAGE_SIZES = frozenset(1 << power for power in range(9, 17))
_USUAL_PAGE = 4096
_FRAME, _WAL_HEADER = 24, 32
_TRIED = 256  # pages that are tried with a key before it is called wrong
_COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}  # of a passphrase: 32 MiB, about 0.1 s
_INSTALL = "pip install --force-reinstall --no-deps apsw-sqlite3mc"


class Cipher:
    """The key of one file; its `repr` shows nothing of it."""

    __slots__ = ("_key", "_salt")

    def __init__(self, key: bytes, salt: bytes) -> None:
        self._key, self._salt = key, salt

    def unlock(self, raw: apsw.Connection) -> None:
        """Give a connection the key, before it reads anything.

        An SQLite that cannot encrypt takes the key without a word, and would write plain ones.
        """
        check_installed()
        raw.execute("PRAGMA cipher='chacha20'").fetchall()
        raw.execute(f"PRAGMA key='{self.word}'").fetchall()

    @property
    def word(self) -> str:
        """The key as SQLite takes it, in a pragma or a URI."""
        return f"raw:{self._key.hex()}{self._salt.hex()}"

    def opens(self, page: bytes, number: int) -> bool:
        """Whether a page was written with this key and is whole."""
        return chacha20.has_tag(page, number, self._key)

    def read_header(self, page: bytes) -> bytes:
        """The header of the file, as a plain one has it."""
        return MAGIC + chacha20.read_header(page, self._key)[len(MAGIC) :]

    def decrypt(self, content: bytes, numbers: Sequence[int], size: int) -> bytes:
        """Pages with these numbers, one behind the other, whole or not; no tag is looked at."""
        plain = chacha20.decrypt_pages(content, numbers, size, self._key)
        if numbers and numbers[0] == 1:
            plain = MAGIC + plain[len(MAGIC) :]
        return plain


class Secret:
    """What somebody gives as the key: 32 bytes, 64 hexadecimal digits, or a passphrase."""

    __slots__ = ("_key", "_passphrase")

    def __init__(self, given: KeyGiven) -> None:
        found = given() if callable(given) else given
        self._key, self._passphrase = b"", ""
        if isinstance(found, bytes) and len(found) == _KEY:
            self._key = found
        elif isinstance(found, str) and _is_hex(found):
            self._key = bytes.fromhex(found)
        elif isinstance(found, str) and found.strip():
            self._passphrase = found
        else:
            raise InvalidInput(_refuse(found))

    def fit(self, salt: bytes) -> Cipher:
        """The key of the file that begins with this salt."""
        return Cipher(self._key or _stretch(self._passphrase, salt), salt)

    def make(self) -> Cipher:
        """The key of a new file, before anything is written."""
        check_installed()
        return self.fit(os.urandom(SALT))


@functools.lru_cache(maxsize=16)
def _stretch(passphrase: str, salt: bytes) -> bytes:
    """A key from a passphrase; slow on purpose, so once per process and file."""
    return hashlib.scrypt(passphrase.encode(), salt=salt, dklen=_KEY, **_COST)


def _is_hex(found: str) -> bool:
    return len(found) == _HEX and all(digit in "0123456789abcdefABCDEF" for digit in found)


def _refuse(found: object) -> str:
    """What is wrong with a key, without the key."""
    if isinstance(found, bytes):
        told = f"the key has {len(found)} bytes"
    elif isinstance(found, str):
        told = "the key is blank"
    else:
        told = f"the key is {shorten(type(found))}"
    return f"{told}; give 32 bytes, 64 hexadecimal digits (openssl rand -hex 32) or a passphrase"


def check_installed() -> None:
    """Raise Unavailable if the SQLite that is installed cannot encrypt."""
    if not getattr(apsw, "mc_version", None):
        raise Unavailable(
            "this SQLite cannot encrypt: the package apsw was installed over apsw-sqlite3mc; "
            f"run: {_INSTALL}"
        )


def looks_encrypted(header: bytes) -> bool:
    """Whether a file begins as an encrypted memory does: part of its header is in the clear."""
    if header.startswith(MAGIC) or len(header) < 100:
        return False
    return _read_page_size(header) in _PAGE_SIZES and header[20:24] == _SHAPE


def find_page_size(header: bytes) -> int:
    """The page size that a header names; the usual one if it names none."""
    size = _read_page_size(header)
    return size if size in _PAGE_SIZES else _USUAL_PAGE


def _read_page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big")
    return 65536 if size == 1 else size


def is_encrypted(path: str) -> bool:
    """Whether there is a file that begins as an encrypted memory does."""
    if not os.path.isfile(path):  # noqa: PTH113 - a path that cannot be one is not an error here
        return False
    return looks_encrypted(next(read_blocks(path, 100), b""))


def is_new_or_encrypted(path: str | Path) -> bool:
    """Whether a path is that of a file which is encrypted, or not there yet."""
    if "://" in str(path):
        return False
    return not Path(path).exists() or is_encrypted(str(path))


def find_cipher(path: str, secret: Secret | None) -> Cipher | None:
    """The key that opens the file; None if it is plain, or not there yet."""
    header = next(read_blocks(path, 100), b"")
    is_shaped = looks_encrypted(header)
    if not header or header.startswith(MAGIC) or (secret is None and not is_shaped):
        return None
    check_installed()
    if secret is None:
        raise KeyNeeded(
            f"{path} is encrypted; give its key with key=, RICORDO_KEY_FILE or RICORDO_KEY"
        )
    cipher = secret.fit(header[:SALT])
    size = find_page_size(header)
    if any(cipher.opens(page, number) for number, page in _list_pages(path, size)):
        return cipher
    if not is_shaped:
        return None  # neither a plain memory nor an encrypted one: whoever reads it says so
    raise WrongKey(f"the key given does not open {path}; give the key it was encrypted with")


def read_plain_header(path: str, cipher: Cipher | None) -> bytes:
    """The header of a file, decrypted where it has to be; empty if there is no file."""
    header = next(read_blocks(path, 100), b"")
    if cipher is None:
        return header
    size = find_page_size(header)
    page = next(read_blocks(path, size), b"")
    if not cipher.opens(page, 1):  # cut off while it was written back: the WAL has it whole
        frames = list_frames(path + "-wal", size)
        whole = [each for number, each in frames if number == 1 and cipher.opens(each, 1)]
        page = whole[-1] if whole else page
    return cipher.read_header(page)


def _list_pages(path: str, size: int) -> Iterator[tuple[int, bytes]]:
    """Pages to try a key on: one that is damaged must not make a right key a wrong one."""
    for index, page in zip(range(_TRIED), read_blocks(path, size), strict=False):
        if len(page) == size:
            yield index + 1, page
    for number, page in list_frames(path + "-wal", size, _TRIED):
        yield number, page


def list_frames(wal: str, size: int, most: int | None = None) -> Iterator[tuple[int, bytes]]:
    """The pages in a WAL, each with its number in the file."""
    if not Path(wal).exists():
        return
    frames = read_blocks(wal, _FRAME + size, start=_WAL_HEADER)
    for index, frame in enumerate(frames):
        if len(frame) < _FRAME + size or index == most:
            return
        yield int.from_bytes(frame[:4], "big"), frame[_FRAME:]


def read_plain(path: str, cipher: Cipher | None, size: int) -> Iterator[bytes]:
    """The bytes of a file of the memory as they would be without encryption, to be scanned."""
    if cipher is None:
        yield from read_blocks(path, size)
        return
    main = path.removesuffix("-wal")
    page_size = find_page_size(next(read_blocks(main, 100), b""))
    if path != main:
        frames = list_frames(path, page_size)
        while some := list(islice(frames, size // page_size)):
            pages = b"".join(page for _, page in some)
            yield cipher.decrypt(pages, [number for number, _ in some], page_size)
        return
    at, count = 1, size // page_size
    for block in read_blocks(path, count * page_size):
        yield cipher.decrypt(block, range(at, at + count), page_size)
        at += count
