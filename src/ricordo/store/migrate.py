"""Migrations: numbered, each in one transaction, digested so that an edited one is refused."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from ricordo.errors import Corrupt, NewerSchema
from ricordo.store.catalogue import FOLDER


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    sql: str

    @property
    def digest(self) -> str:
        return sha256(self.sql.encode()).hexdigest()


@cache
def load(dialect: str) -> tuple[Migration, ...]:
    """Every migration of a dialect, in order; numbers start at 1 and have no gaps."""
    found = []
    for file in sorted((FOLDER / dialect / "migrations").glob("*.sql")):
        number, _, name = file.stem.partition("_")
        found.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise Corrupt(f"migrations of {dialect!r} are not numbered 1, 2, 3 …; reinstall ricordo")
    return tuple(found)


def list_pending(known: tuple[Migration, ...], applied: dict[int, str]) -> list[Migration]:
    """What is still to be applied; refuses files from the future and edited migrations."""
    newest = len(known)
    if applied and max(applied) > newest:
        raise NewerSchema(
            f"the memory has schema {max(applied)}, this ricordo knows up to {newest}; "
            "install a newer ricordo"
        )
    for migration in known:
        digest = applied.get(migration.number)
        if digest is not None and digest != migration.digest:
            raise Corrupt(
                f"migration {migration.number} ({migration.name}) was edited after it was applied; "
                "restore its text and add a new migration instead"
            )
    return [migration for migration in known if migration.number not in applied]
