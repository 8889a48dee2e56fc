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
LAYERS = {
    "memory": "settings english ontology interpretation retrieval rewriting beliefs planning checks "
    "readers questions memory opening evaluation",
    "prolog": "settings base execution actions search bounds assembly plans checks solve generation "
    "evaluation",
}
"""Folders and modules of parts of ``grounding``: each imports only those before it, but for types."""


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        yield from imports_of(node)


def imports_of(node: ast.AST) -> Iterator[str]:
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


def at_run_time(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        yield from at_run_time(node)


@pytest.mark.parametrize("folder", LAYERS)
def test_folders_within_a_part_lie_in_layers(folder: str) -> None:
    order, own = LAYERS[folder].split(), ROOT / "grounding" / folder
    package = f"commonground.grounding.{folder}."
    places = {f: f.relative_to(own).with_suffix("").parts[0] for f in own.rglob("*.py")}
    assert {*places.values()} - {"__init__"} == {*order}, "which layer is what is new in?"
    for file, place in places.items():
        later = order[order.index(place) + 1 :] if place != "__init__" else []
        for node in at_run_time(ast.parse(file.read_text())):
            named = imports_of(node)
            theirs = {n.removeprefix(package).split(".")[0] for n in named if n.startswith(package)}
            assert theirs.isdisjoint(later), f"{file} imports {theirs}"


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
