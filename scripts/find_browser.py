"""Find a Chromium for the tests of the inspector; with --install fetch Debian's if need be."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-inter", "fonts-noto-core")


def find() -> str | None:
    """The browser that the tests will use."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def install() -> None:
    """Install Debian's package, as root, quietly."""
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    }
    subprocess.run(["apt-get", "update", "-qq"], check=True, **quiet)
    words = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES]
    subprocess.run(words, check=True, **quiet)


def main() -> int:
    if find() is None and "--install" in sys.argv:
        if shutil.which("apt-get") is None or os.geteuid() != 0:
            print("no Chromium was found; install one, or name it in CHROMIUM")
            return 1
        install()
    found = find()
    print(found or "no Chromium was found")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
