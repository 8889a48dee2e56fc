"""The parts import only what they may, and nobody gets a second copy of a class."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("datasets", "localization", "mapping", "planning", "grounding")
TOP = ("story", "household", "live", "console", "cli")
"""Folders of ``commonground/`` that stand on top of the parts and import them."""
MAY_IMPORT = {
    "datasets": set(),
    "localization": set(),
    "mapping": {"localization"},
    "planning": set(),
    "grounding": {"planning"},
}


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("part", PARTS)
def test_parts_import_only_what_they_may(part: str) -> None:
    forbidden = {*PARTS, *TOP, "demo"} - MAY_IMPORT[part] - {part}
    for file in (ROOT / part).rglob("*.py"):
        for name in imports(file):
            words = name.split(".")
            assert words[0] not in PARTS or words[0] == part == file.name, (
                f"{file}: import it as commonground.{name}"
            )
            if words[0] == "commonground" and len(words) > 1:
                assert words[1] not in forbidden, f"{file} imports {name}"


def test_the_core_imports_no_part() -> None:
    for file in (ROOT / "commonground").rglob("*.py"):
        top = file.relative_to(ROOT / "commonground").parts[0]
        if top in TOP:
            continue
        for name in imports(file):
            words = name.split(".")
            assert words[0] != "commonground" or len(words) < 2 or words[1] not in PARTS, (
                f"{file} imports {name}"
            )


@pytest.mark.parametrize("part", PARTS)
def test_a_part_refuses_its_bare_name(part: str) -> None:
    call = [sys.executable, "-c", f"import {part}"]
    shown = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT)
    assert f"use 'import commonground.{part}'" in shown.stderr


def test_every_public_name_can_be_imported() -> None:
    import importlib

    inner = ("scene", "story", "household", "grounding.memory", "grounding.prolog", *PARTS)
    for module in ("commonground", *(f"commonground.{name}" for name in inner)):
        package = importlib.import_module(module)
        for name in package.__all__:
            assert getattr(package, name) is not None
        with pytest.raises(AttributeError):
            _ = package.no_such_name


def test_what_is_quick_has_something_of_each_part() -> None:
    """A file that is renamed would otherwise be left out of ``make quick``, or end it."""
    lines = (ROOT / "tests" / "quick.txt").read_text().splitlines()
    chosen = [line for line in lines if line and not line.startswith("#")]
    assert all(line.startswith("tests/") and [*ROOT.glob(line)] for line in chosen)
    assert {line.split("/")[1] for line in chosen} >= {"core", "e2e", *PARTS}
