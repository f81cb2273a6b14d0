"""One run of a verb: what it opens, which space it works on, and how it prints."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ricordo.config import Settings, load
from ricordo.errors import InvalidInput, NotFound, without_password
from ricordo.surfaces.output import Printer
from ricordo.surfaces.project_space import AUTO, choose_space

if TYPE_CHECKING:
    from ricordo.handles.memory import Memory, Space

SPACE = "default"
_NAMED = 5  # spaces that a note lists
META = "ricordo."  # before the names of options that were noted for the whole run


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a verb: what to open and how to print."""

    db: str | None
    space_given: str | None
    embedder: str | None
    out: Printer
    config: str | None = None

    @classmethod
    def of(cls, context: click.Context) -> "Call":
        """The options of a run, wherever on the line they stood."""
        found = {
            key.removeprefix(META): value
            for key, value in context.meta.items()
            if key.startswith(META)
        }
        printer = Printer(bool(found.get("as_json")), bool(found.get("quiet")))
        return cls(
            found.get("db"),
            found.get("space"),
            found.get("embedder"),
            printer,
            found.get("config"),
        )

    @property
    def space_name(self) -> str | None:
        """The space that was asked for; "auto" is that of the project."""
        if self.space_given != AUTO:
            return self.space_given
        return choose_space(AUTO)

    @property
    def path(self) -> str:
        """Where the memory is: the given path, or one in the user's own data folder."""
        return self.db if self.db is not None else str(_home())

    @property
    def db_option(self) -> str | None:
        """The memory as `--db` takes it in any folder; None where it is found without."""
        if self.db is None:
            return None
        return without_password(self.db) if "://" in self.db else str(Path(self.db).absolute())

    def memory(
        self,
        *,
        writes: bool = False,
        embeds: bool = False,
        read_only: bool = False,
        keeps: bool = False,
    ) -> "Memory":
        """Open the memory. Without `embeds` no model is touched: what is written waits for one.

        Without `keeps` no keeper starts: a command that ends at once leaves that to others.
        """
        import ricordo

        path = self.path
        if self.db is None and not _home().parent.is_dir():
            if writes:
                _home().parent.mkdir(parents=True, mode=0o700)
            else:
                path = ":memory:"  # nothing was ever written: it reads as an empty memory
        embedder = self.embedder if embeds else "none"
        return ricordo.open(
            path,
            embedder=embedder,
            config=self._file(),
            read_only=read_only,
            keep=None if keeps else False,
        )

    def known_memory(self, *, embeds: bool = False) -> "Memory":
        """Open a memory that must exist: a mistyped path is neither empty nor created."""
        if not self.is_there:
            raise NotFound(f"there is no memory at {self.path!r}; give the right one with --db")
        return self.memory(writes=True, embeds=embeds)

    @property
    def is_there(self) -> bool:
        """Whether anything was ever written; always true for a server."""
        return "://" in self.path or self.path == ":memory:" or Path(self.path).exists()

    def settings(self) -> Settings:
        """The settings that the memory is opened with."""
        return load(self._file())

    def _file(self) -> str | None:
        """The file of settings; a mistyped path raises NotFound."""
        if self.config is not None and not Path(self.config).exists():
            raise NotFound(f"there is no file {self.config!r} to read settings from")
        return self.config

    def space(self, memory: "Memory") -> "Space":
        return memory.space(SPACE if self.space_name is None else self.space_name)

    def note_missing_space(self, memory: "Memory") -> None:
        """Say that the space was never written to, where others were: its name may be mistyped."""
        name = self.space(memory).name
        known = memory.spaces(limit=_NAMED + 1)
        if not known or memory.spaces(name, 1) == [name]:
            return
        listed = ", ".join(map(repr, known[:_NAMED])) + (" and others" if known[_NAMED:] else "")
        told = f"nothing was written to space {name!r} yet; there is {listed}"
        self.out.note(f"{told}; --space chooses one")


def confirm(question: str, doing: str) -> None:
    """Ask before doing what cannot be undone. Without a terminal, `--yes` is required."""
    if not sys.stdin.isatty():
        raise InvalidInput(f"{doing} cannot be undone; add --yes if you mean it")
    click.confirm(question, abort=True, err=True)


def _home() -> Path:
    from platformdirs import user_data_path

    return user_data_path("ricordo", appauthor=False) / "agent.db"
