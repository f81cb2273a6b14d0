"""Run the MCP conformance suite against our server: `make conformance`.

Node 22 and the suite are installed from npm into a folder of their own; npm has to be there.
"""

import os
import subprocess
import sys
from pathlib import Path

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
REVISIONS = ("2025-11-25", "2026-07-28")
ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "conformance"


def install() -> Path:
    """The folder of packages, filled on the first run."""
    packages = FOLDER / "node_modules"
    if not (packages / "@modelcontextprotocol" / "conformance").is_dir():
        FOLDER.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--prefix", str(FOLDER), "--no-save", "node@22", SUITE]
        subprocess.run(words, check=True)
    return packages


def run(packages: Path, url: str, revision: str) -> int:
    """What one revision requires; 0 if all of it passes."""
    node = packages / "node" / "bin" / "node"
    suite = packages / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    words = [str(node), str(suite), "server", "--url", f"{url}/mcp", "--requirements", revision]
    done = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, check=False)
    print(f"{revision}\n{done.stdout.partition('=== SUMMARY ===')[2] or done.stdout}")
    return done.returncode


def main() -> int:
    packages = install()
    server = [sys.executable, str(ROOT / "scripts" / "conformance_server.py")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(server, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip().replace("127.0.0.1", "localhost")
            codes = [run(packages, url, revision) for revision in REVISIONS]
        finally:
            process.terminate()
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
