"""The Python of notebooks and pages uses names that exist: its types are checked, nothing is run.

It takes what ``make check`` left behind (``.mypy_cache``) and is skipped where that was never run, because
checking all of the project from nothing takes a minute.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
LENIENT = "# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs\n"
NAMES = ("[attr-defined]", "[call-arg]", "[import-not-found]", "[name-defined]")
"""Errors about names; whether types fit is left to whoever reads along."""


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("api_pages", ROOT / "tools/api_pages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Direct(ast.NodeTransformer):
    """Imports names from where they are defined: a package that exports lazily hides their types."""

    def __init__(self) -> None:
        self.tool = _tool()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.ImportFrom]:
        exports = self.tool.exports(node.module or "")
        return [self._direct(node, alias, exports.get(alias.name)) for alias in node.names]

    def _direct(self, node: ast.ImportFrom, alias: ast.alias, place: str | None) -> ast.ImportFrom:
        module = node.module
        if place is not None:
            module = self.tool.defined_at(node.module, alias.name, place).rpartition(".")[0]
        return ast.ImportFrom(module, [alias], 0)


def _direct(code: str) -> str:
    return LENIENT + ast.unparse(_Direct().visit(ast.parse(code))) + "\n"


def _notebook(path: Path) -> str:
    cells = json.loads(path.read_text())["cells"]
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


def _examples() -> Iterator[tuple[str, str]]:
    """Yield the code of each notebook and of each Python block of a page, with a name."""
    for path in sorted(ROOT.glob("notebooks/*.ipynb")):
        yield f"notebook_{path.stem}", _notebook(path)
    for page in PAGES:
        blocks = re.findall(r"^```python.*?\n(.*?)^```", page.read_text(), re.M | re.S)
        for k, code in enumerate(blocks):
            yield f"page_{page.parent.name}_{page.stem}_{k}", code


def _errors(folder: Path) -> list[str]:
    call = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--no-error-summary"]
    done = subprocess.run(
        [*call, *map(str, sorted(folder.glob("*.py")))],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / ".mypy_links")},
    )
    assert not done.stderr, done.stderr
    return [line for line in done.stdout.splitlines() if line.endswith(NAMES)]


def test_names_in_notebooks_and_pages_exist(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    if not (ROOT / ".mypy_cache").is_dir() or not (ROOT / ".mypy_links").is_dir():
        pytest.skip("'make check' was never run here")
    examples = dict(_examples())
    assert len(examples) > 12
    for name, code in examples.items():
        (tmp_path / f"{name}.py").write_text(_direct(code))
    wrong = "from commonground.planning import plan_scene\nplan_scene.flies\n"
    (tmp_path / "wrong.py").write_text(_direct(wrong))
    errors = _errors(tmp_path)
    assert any("wrong.py" in error for error in errors), "types were not checked"
    assert not "\n".join(error for error in errors if "wrong.py" not in error)
