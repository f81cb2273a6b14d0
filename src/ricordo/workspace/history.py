"""The history of a workspace: commits in a git repository of its own, through the git command.

The settings of the user and of the machine do not count: no hooks, no signatures, no filters, no
network. A link is never followed: only plain files are committed.
"""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from ricordo.errors import InvalidInput, StoreError, Unavailable
from ricordo.model import Checkpoint
from ricordo.workspace.files import Files

LARGEST = 1024 * 1024  # bytes of a file that is committed
ID = 7  # characters of a commit's id
INITIAL = "workspace init"
MAIL = "agent@localhost"
_STALE_SECONDS = 3_600.0  # a lock of git's that is older was left by a killed one
_TIMEOUT_SECONDS = 120.0
_IGNORED = ("transcripts/", "media/", "*.tmp", "*.swp", ".DS_Store")
_KEPT_LF = ("*.md", "*.yaml", "*.yml", "*.json")
_CRUD = " .,:;<>\"\\'"  # what git takes off the ends of a name
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.untrackedCache": "false",
    "core.autocrlf": "false",
    "core.symlinks": "true",
    "core.excludesFile": os.devnull,
    "core.attributesFile": os.devnull,
    "core.sshCommand": "false",
    "core.pager": "cat",
    "core.quotePath": "false",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "diff.external": "",
    "log.showSignature": "false",
    "init.templateDir": "",
}
_FIELDS = "%H%x1f%an%x1f%at%x1f%s%x1f%b%x1e"


class History:
    """The commits of one folder."""

    def __init__(self, files: Files, space: str, is_kept: Callable[[str], bool] = bool) -> None:
        """`is_kept` says which files may be committed."""
        command = shutil.which("git")
        if command is None:
            raise Unavailable("git is not installed; install it, or set workspace_git to false")
        self._git = command
        self._files = files
        self._author = author(space)
        self._is_kept = is_kept

    @property
    def root(self) -> Path:
        return self._files.root

    def commit(self, subject: str, body: str, at: datetime) -> Checkpoint | None:
        """Commit everything that changed; None if nothing did. Call it with the folder locked."""
        self._begin(at)
        changed, gone = self._list_changes()
        self._stage(changed)
        self._unstage(gone)
        if not self._has_staged():
            return None
        told = one_line(subject)
        self._record(f"{told}\n\n{body}" if body else told, at)
        return self.log(1)[0]

    def log(self, limit: int) -> list[Checkpoint]:
        """The newest commits first; none if there is no history yet."""
        if not self._is_begun():
            return []
        out = self._run("log", f"--max-count={limit}", f"--format=tformat:{_FIELDS}", "HEAD", "--")
        return [_checkpoint(record) for record in out.split("\x1e") if record.strip()]

    def diff(self, since: str) -> str:
        """The patch from a commit up to the newest."""
        return self._run(
            "diff", "--no-color", "--no-ext-diff", "--no-textconv", f"{since}..HEAD", "--"
        )

    def _begin(self, at: datetime) -> None:
        """Make the repository and its first commit, or what is missing of them."""
        self._clear_stale_lock()
        if not self._is_there():
            self._run("init", "--quiet", "--initial-branch=main")
        if self._is_begun():
            return
        for name, lines in (
            (".gitignore", _IGNORED),
            (".gitattributes", [f"{kind} text eol=lf" for kind in _KEPT_LF]),
        ):
            if self._files.size(name) is None:
                self._files.write(name, "".join(f"{line}\n" for line in lines))
        self._stage([".gitignore", ".gitattributes"])
        self._record(INITIAL, at)

    def _is_there(self) -> bool:
        """Whether the folder has a repository of its own; a link or a file in its place is none."""
        inner = self.root / ".git"
        if inner.is_symlink() or (inner.exists() and not inner.is_dir()):
            raise InvalidInput(
                f"{inner.name!r} in the folder {self.root.name!r} of the workspace is a link or a "
                "file, so history would lie elsewhere; remove it"
            )
        return inner.is_dir() and (inner / "HEAD").is_file()

    def _is_begun(self) -> bool:
        if not self._is_there():
            return False
        return self._try("rev-parse", "--verify", "--quiet", "HEAD").returncode == 0

    def _clear_stale_lock(self) -> None:
        """A killed git leaves its lock behind; nobody else would ever take it away."""
        lock = self.root / ".git" / "index.lock"
        try:
            if time.time() - lock.lstat().st_mtime > _STALE_SECONDS:
                lock.unlink()
        except (FileNotFoundError, NotADirectoryError):
            return

    def _list_changes(self) -> tuple[list[str], list[str]]:
        """Files that differ from the last commit, except large ones, and files that are gone."""
        out = self._run("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
        found = [(record[:2], record[3:]) for record in out.split("\0") if len(record) > 3]
        gone = [path for status, path in found if "D" in status]
        return [path for status, path in found if "D" not in status and self._is_fit(path)], gone

    def _is_fit(self, path: str) -> bool:
        try:
            size = self._files.size(path)
        except InvalidInput:
            return False
        return size is not None and size <= LARGEST and self._is_kept(path)

    def _stage(self, paths: Iterable[str]) -> None:
        named = "".join(f"{path}\0" for path in paths)
        if named:
            self._run(
                "--literal-pathspecs",
                "add",
                "--all",
                "--pathspec-from-file=-",
                "--pathspec-file-nul",
                told=named,
            )

    def _unstage(self, paths: Iterable[str]) -> None:
        """Leave files out that are gone; unlike `add` this does not look where a link leads."""
        named = "".join(f"{path}\0" for path in paths)
        if named:
            self._run("update-index", "--force-remove", "-z", "--stdin", told=named)

    def _has_staged(self) -> bool:
        return self._try("diff", "--cached", "--quiet", "--no-ext-diff").returncode != 0

    def _record(self, message: str, at: datetime) -> None:
        who = {
            f"GIT_{role}_{field}": value
            for role in ("AUTHOR", "COMMITTER")
            for field, value in (
                ("NAME", self._author),
                ("EMAIL", MAIL),
                ("DATE", f"{int(at.timestamp())} +0000"),
            )
        }
        quiet = ("--quiet", "--no-verify", "--cleanup=whitespace", "--file=-")
        self._run("commit", *quiet, told=message, extra=who)

    def _run(self, *words: str, told: str = "", extra: dict[str, str] | None = None) -> str:
        done = self._try(*words, told=told, extra=extra)
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip()
            verb = next(word for word in words if not word.startswith("-"))
            raise StoreError(f"git {verb} failed in {str(self.root)!r}: {said}")
        return done.stdout.decode(errors="replace")

    def _try(
        self, *words: str, told: str = "", extra: dict[str, str] | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        place = [f"--git-dir={self.root / '.git'}", f"--work-tree={self.root}"]
        try:
            return subprocess.run(
                [self._git, *settings, *place, *words],
                input=told.encode(),
                cwd=self.root,
                env=_environment() | (extra or {}),
                capture_output=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise StoreError(f"git cannot be run in {str(self.root)!r}: {error}") from error


def author(space: str) -> str:
    """The name of a space as the author of a commit."""
    plain = re.sub("[<>]", " ", _UNSEEN.sub(" ", space))
    return " ".join(plain.split()).strip(_CRUD) or "space"


def one_line(text: str) -> str:
    """A text as the subject of a commit."""
    return " ".join(_UNSEEN.sub(" ", text).split())


def _environment() -> dict[str, str]:
    """What git may know of its surroundings: nothing that would change what it does."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_EDITOR": "true",
        "LC_ALL": "C",
    }


def _checkpoint(record: str) -> Checkpoint:
    commit, who, at, subject, body = record.lstrip("\n").split("\x1f", 4)
    moment = datetime.fromtimestamp(int(at), UTC)
    return Checkpoint(commit[:ID], subject, body.strip("\n"), who, moment)
