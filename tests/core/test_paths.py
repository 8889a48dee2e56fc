"""Every public function takes the name of a file as a string or as a path."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("commonground", "datasets", "mapping", "localization", "planning", "grounding")


def public(stub: Path) -> Iterator[ast.FunctionDef]:
    """Yield the functions that a package exports and its own modules define."""
    for line in ast.parse(stub.read_text()).body:
        if isinstance(line, ast.ImportFrom) and line.level == 1 and line.module:
            file = stub.parent.joinpath(*line.module.split(".")).with_suffix(".py")
            names = {alias.name for alias in line.names}
            for node in ast.parse(file.read_text()).body if file.is_file() else ():
                if isinstance(node, ast.FunctionDef) and node.name in names:
                    yield node


def test_paths_may_be_strings() -> None:
    stubs = [stub for part in PARTS for stub in sorted((ROOT / part).glob("**/__init__.pyi"))]
    functions = [function for stub in stubs for function in public(stub)]
    assert len(functions) > 100
    only_paths = [
        f"{function.name}({parameter.arg})"
        for function in functions
        for parameter in (*function.args.args, *function.args.kwonlyargs)
        if parameter.annotation is not None
        and re.search(r"\bPath\b", (kind := ast.unparse(parameter.annotation)))
        and "str" not in kind
    ]
    assert only_paths == []
