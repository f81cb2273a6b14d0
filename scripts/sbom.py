"""The bill of materials of a release, as CycloneDX: its dependencies, and the models in it.

    python scripts/sbom.py > build/sbom.json

Run it in an environment that holds the wheel and its dependencies alone: `make dist` makes one.
"""

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

NAME = "ricordo"
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


def list_required(name: str, seen: dict[str, metadata.Distribution]) -> None:
    """The installed distributions that one needs, itself included; extras are not listed."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        return
    try:
        seen[key] = metadata.distribution(name)
    except metadata.PackageNotFoundError:  # of another system, or of an extra that is not there
        return
    for needed in seen[key].requires or ():
        is_optional = "extra ==" in needed.partition(";")[2]
        if not is_optional and (found := _REQUIREMENT.match(needed)):
            list_required(found[0], seen)


def describe(key: str, found: metadata.Distribution) -> dict[str, Any]:
    told = found.metadata
    licence = told.get("License-Expression") or told.get("License") or "see the package"
    return {
        "type": "library",
        "name": key,
        "version": found.version,
        "purl": f"pkg:pypi/{key}@{found.version}",
        "licenses": [{"license": {"name": licence.splitlines()[0][:100]}}],
    }


def list_models(folder: Path) -> Iterator[dict[str, Any]]:
    """Every file of a bundled model, with its digest and licence."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        if path.suffix in (".onnx", ".npy", ".txt"):
            licence = path.parent / "LICENSE"
            words = licence.read_text(encoding="utf-8") if licence.is_file() else ""
            yield {
                "type": "machine-learning-model",
                "name": str(path.relative_to(folder)),
                "hashes": [
                    {"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}
                ],
                "licenses": [{"license": _name_licence(words)}],
            }


def _name_licence(text: str) -> dict[str, str]:
    if "Apache License" in text:
        return {"id": "Apache-2.0"}
    return {"name": text.strip().splitlines()[0][:100] if text.strip() else "none"}


def build(models: Path) -> dict[str, Any]:
    """The whole document."""
    found: dict[str, metadata.Distribution] = {}
    list_required(NAME, found)
    own = found.pop(NAME)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": describe(NAME, own) | {"type": "application"}},
        "components": [
            *(describe(key, each) for key, each in sorted(found.items())),
            *list_models(models),
        ],
    }


if __name__ == "__main__":
    import ricordo

    json.dump(build(Path(ricordo.__file__).parent / "embed" / "models"), sys.stdout, indent=2)
