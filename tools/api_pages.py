"""Hook of mkdocs: ``{{ exports: PACKAGE }}`` in a page becomes the reference of what a package exports.

The packages name their exports in a stub that is read here without importing anything, so that the reference
is that of the code as it is and needs none of its libraries.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("datasets", "localization", "mapping", "planning", "grounding")
MARKER = re.compile(r"^\{\{ exports: ([\w.]+) \}\}$", re.M)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace the markers of a page by blocks that mkdocstrings understands."""
    return MARKER.sub(lambda found: "\n\n".join(_blocks(found[1])), markdown)


def _blocks(package: str) -> Iterator[str]:
    for name, module in sorted(exports(package).items(), key=lambda item: item[0].lower()):
        yield f"::: {defined_at(package, name, module)}"


def exports(package: str) -> dict[str, str]:
    """Return each public name of a package with the submodule it lives in; empty for a module."""
    stub = folder(package) / "__init__.pyi"
    if not stub.is_file():
        return {}
    found = (node for node in ast.parse(stub.read_text()).body if isinstance(node, ast.ImportFrom))
    return {alias.name: str(node.module) for node in found for alias in node.names}


def defined_at(package: str, name: str, module: str) -> str:
    """Return the full path of a name, through packages that pass it on."""
    full = f"{package}.{module}"
    inner = exports(full).get(name)
    return f"{full}.{name}" if inner is None else defined_at(full, name, inner)


def folder(package: str) -> Path:
    """Return where a package lies: the five parts stand at the top of the repository."""
    parts = package.split(".")
    if len(parts) > 1 and parts[1] in PARTS:
        parts = parts[1:]
    return ROOT.joinpath(*parts)
