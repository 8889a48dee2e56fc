"""Importing this package loads no code under the GPL or AGPL."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
BINDING = re.compile(r"\bA?GPL|GNU (Affero )?General Public", re.IGNORECASE)
IMPORT_ALL = """
import importlib, json, pathlib, pkgutil, sys
import commonground
home = pathlib.Path(commonground.__file__).parent
parts = ["commonground", *(f"commonground.{p}" for p in
         ("datasets", "mapping", "localization", "planning", "grounding"))]
for part in parts:
    module = importlib.import_module(part)
    for found in pkgutil.walk_packages(module.__path__, f"{part}."):
        importlib.import_module(found.name)
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def licenses(name: str) -> list[str]:
    about = importlib.metadata.metadata(name)
    said = [about.get("License-Expression") or "", (about.get("License") or "")[:200]]
    return said + [c for c in about.get_all("Classifier") or [] if c.startswith("License")]


def binding(name: str) -> bool:
    """Return whether a distribution is under a license that binds what loads it; the LGPL does not."""
    said = [text.replace("LGPL", "") for text in licenses(name) if "Lesser" not in text]
    return any(BINDING.search(text) for text in said)


def test_no_import_loads_code_that_binds() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, check=True, timeout=900
    )
    loaded = set(json.loads(ended.stdout.splitlines()[-1]))
    assert "numpy" in loaded
    owners = importlib.metadata.packages_distributions()
    found = {name for module in loaded for name in owners.get(module, ()) if binding(name)}
    assert not found


def test_what_binds_is_an_extra_of_its_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert [Requirement(line).name for line in extras["evo"]] == ["evo"]
    elsewhere = [*project["dependencies"], *extras["mapping"], *extras["all"]]
    assert not any("evo" in line for line in elsewhere)


def required() -> dict[str, list[Requirement]]:
    """Return what a plain install and each extra name; what only developers need is left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {"none": project["dependencies"], **project["optional-dependencies"]}
    lines = {extra: own for extra, own in named.items() if extra not in ("dev", "docs")}
    return {
        extra: [r for r in map(Requirement, own) if r.name != "commonground"]
        for extra, own in lines.items()
    }


def test_what_setup_installs_is_named_and_within_the_bounds() -> None:
    lines = (ROOT / "tools/constraints.txt").read_text().splitlines()[1:]
    pins = {r.name: next(iter(r.specifier)).version for r in map(Requirement, lines)}
    for requirement in (r for own in required().values() for r in own):
        bounds = requirement.specifier
        assert any(bound.operator == ">=" for bound in bounds), f"{requirement} has no lower bound"
        assert bounds.contains(pins[canonicalize_name(requirement.name)]), str(requirement)


def test_the_page_of_licenses_has_every_library_and_tells_what_binds() -> None:
    page = (ROOT / "docs/licenses.md").read_text().partition("What these bring along")[0]
    rows = re.findall(r"^\| (\w+) \| ([\w-]+) \| .+ \| (yes|) ?\|$", page, re.MULTILINE)
    shown = {(extra, name): bool(binds) for extra, name, binds in rows}
    named = {(extra, r.name) for extra, own in required().items() for r in own}
    assert shown.keys() == named
    installed = _distributions()
    for (_, name), binds in shown.items():
        if canonicalize_name(name) in installed:
            assert binds == binding(name), name


def _distributions() -> set[str]:
    return {canonicalize_name(d.name) for d in importlib.metadata.distributions()}
