"""The command line as a test types it: in this process, or in one of its own."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from ricordo.surfaces.cli.main import cli

ROOT = Path(__file__).resolve().parents[3]


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, prog_name="ricordo")


def ok(*args: str, stdin: str | bytes | None = None) -> str:
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def parsed(*args: str, stdin: str | bytes | None = None):
    return json.loads(ok(*args, "--json", stdin=stdin))


def command(*args: str | bytes) -> list[str | bytes]:
    return [sys.executable, "-m", "ricordo.surfaces.cli.main", *args]


def process(*args: str | bytes, **options) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **options.pop("env", {})}
    return subprocess.run(
        command(*args), capture_output=True, env=env, timeout=60, check=False, **options
    )


def fields(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]
