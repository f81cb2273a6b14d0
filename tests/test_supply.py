"""What is delivered: no text is run as code, no shell but the operator's, no password shown."""

import ast
import json
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

import ricordo
from ricordo.surfaces.cli.main import cli
from ricordo.surfaces.hooks.install import Installation

ROOT = Path(__file__).parent.parent
SOURCE = Path(ricordo.__file__).parent
# The cases of `testing` talk to processes that they started themselves.
MODULES = sorted(each for each in SOURCE.rglob("*.py") if each.parent.name != "testing")
URL = "postgresql://me:s3cr3t@127.0.0.1:1/x?sslpassword=s3cr3t"
FORBIDDEN = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "yaml"}
# The one shell is the command that an operator gives to `serve --run`, `keep` and `run-due`.
SHELL = {"surfaces/run_command.py"}
# The demo shows expressions and what they give; all of them stand in it.
EVALUATED = {"surfaces/cli/demo.py"}


def calls(path):
    return [
        node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)
    ]


def test_nothing_is_unpickled():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not FORBIDDEN & {name.partition(".")[0] for name in names}, path
        for call in calls(path):
            named = {each.arg: ast.unparse(each.value) for each in call.keywords}
            assert named.get("allow_pickle", "False") == "False", path


def test_no_shell_but_the_operators_own_and_no_text_as_code():
    shells, evaluated = set(), set()
    for path in MODULES:
        place = path.relative_to(SOURCE).as_posix()
        for call in calls(path):
            name = ast.unparse(call.func)
            if any(each.arg == "shell" for each in call.keywords) or name in (
                "os.system",
                "os.popen",
            ):
                shells.add(place)
            if name in ("eval", "exec", "compile"):
                evaluated.add(place)

    assert shells == SHELL
    assert evaluated <= EVALUATED


@pytest.mark.parametrize("host", ["any", "claude-code", "codex", "vscode"])
def test_the_password_of_a_url_is_in_no_printed_setting(host):
    words = ["mcp", "--print-config", host, "--db", URL]

    result = CliRunner().invoke(cli, words, prog_name="ricordo")

    assert result.exit_code == 0
    assert "s3cr3t" not in result.output
    assert "postgresql://me@127.0.0.1:1/x" in result.stdout
    assert "RICORDO_DB" in result.stderr


def test_the_password_of_a_url_is_in_no_installed_setting():
    made = Installation(URL, "ana")

    assert "s3cr3t" not in repr([made.hooks(), made.server()])
    assert "me@127.0.0.1" in repr(made.hooks())


def test_the_bill_of_materials_lists_dependencies_and_models():
    build = runpy.run_path(str(ROOT / "scripts" / "sbom.py"))["build"]

    made = json.loads(json.dumps(build(SOURCE / "embed" / "models")))

    names = {each["name"]: each for each in made["components"]}
    assert made["metadata"]["component"]["version"] == ricordo.__version__
    assert {"apsw-sqlite3mc", "numpy", "onnxruntime"} <= names.keys()
    assert "pytest" not in names
    model = names["minilm/encoder.onnx"]
    assert len(model["hashes"][0]["content"]) == 64
    assert model["licenses"] == [{"license": {"id": "Apache-2.0"}}]
