"""Commands are argument lists, one call to a library, and printing: what keeps them so."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "commonground" / "cli"
FILES = sorted(FOLDER.glob("*.py"))
PARTS = ("datasets", "localization", "mapping", "planning", "grounding")
MOST_LINES = 170
MOST_BODY = 40
"""Lines of a function under its list of arguments."""
TABLES = {"evaluate", "evaluation", "outcomes"}
"""Modules of a part that make the tables of ``eval``; all of their names are public."""


def functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the innermost functions and the lines of their bodies."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or node.end_lineno is None:
            continue
        if not any(isinstance(inner, ast.FunctionDef) for inner in ast.walk(node) if inner != node):
            yield node.name, node.end_lineno - node.body[0].lineno + 1


def run_time_imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the module and name of what is imported when a command runs, not for its types alone."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        nodes += ast.iter_child_nodes(node)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_commands_are_short(file: Path) -> None:
    text = file.read_text()
    assert text.count("\n") <= MOST_LINES, f"{file.name}: move what it does into a library"
    for name, lines in functions(ast.parse(text)):
        assert lines <= MOST_BODY, f"{file.name}: {name} has a body of {lines} lines"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_commands_call_what_anybody_can_call(file: Path) -> None:
    for module, name in run_time_imports(ast.parse(file.read_text())):
        words = module.split(".")
        if words[0] != "commonground" or len(words) < 2 or words[1] not in PARTS:
            continue
        if TABLES & set(words):
            continue
        public = getattr(importlib.import_module(module), "__all__", ())
        assert name in public, f"{file.name}: {name} is no public name of {module}"
