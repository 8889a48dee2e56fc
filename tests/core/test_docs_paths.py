"""Every page, file and name of the code that a page points at exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
TOPS = "commonground datasets localization mapping planning grounding tests benchmarks tools notebooks docs"
POINTER = re.compile(rf"`((?:{'|'.join(TOPS.split())})/[\w./-]*)(?:::([\w.]+))?`")


def pointers(page: Path) -> Iterator[tuple[str, str | None]]:
    """Yield each path in code quotes, with the name after ``::``; fenced blocks are left out."""
    prose = re.sub(r"^( *)```.*?^\1```", "", page.read_text(), flags=re.M | re.S)
    for found in POINTER.finditer(prose):
        yield found[1], found[2]


@cache
def names(file: Path) -> frozenset[str]:
    """Return what a module defines: top-level names, and ``Class.member``."""
    found: set[str] = set()
    for node in ast.parse(file.read_text()).body:
        found |= set(_defined(node))
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for part in node.body for name in _defined(part)}
    return frozenset(found)


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    yield from (t.id for t in targets if isinstance(t, ast.Name))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_paths_and_names_in_the_pages_exist(page: Path) -> None:
    for path, name in pointers(page):
        assert (ROOT / path).exists(), f"{page.relative_to(ROOT)} points at {path}"
        if name is not None:
            assert name in names(ROOT / path), f"{page.relative_to(ROOT)}: {path} has no {name}"


def test_pointers_are_read_as_people_write_them() -> None:
    assert list(pointers(ROOT / "docs/architecture.md"))
    assert "Mapper.integrate" in names(ROOT / "mapping/pipeline.py")
    assert "Mapper.fly" not in names(ROOT / "mapping/pipeline.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_page_is_in_the_menu_of_the_site() -> None:
    nav = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
    listed = set(re.findall(r"([\w/]+\.md)$", nav, re.M))
    assert listed == {str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md")}
