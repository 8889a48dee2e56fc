"""Locations of the programs of Fast Downward, found without importing them."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from commonground.errors import MissingDependencyError

_INSTALL = "pip install 'commonground[planning]'"
_BINARY = Path("downward/builds/release/bin/downward")


def search_binary(binary: str | Path | None = None) -> Path:
    if binary is not None:
        given = Path(binary)
        if not (given.is_file() and os.access(given, os.X_OK)):
            raise MissingDependencyError(
                f"{given} is no program; set downward.binary to Fast Downward's search"
            )
        return given
    package = importlib.util.find_spec("up_fast_downward")
    for folder in (package.submodule_search_locations or ()) if package else ():
        path = Path(folder) / _BINARY
        if path.is_file():
            return path
    raise MissingDependencyError(f"Fast Downward is not installed: {_INSTALL}")


def translator_folder() -> Path:
    """Return the folder from which the translator's package is imported; raises unless it is installed."""
    parent = importlib.util.find_spec("fast_downward")
    for folder in (parent.submodule_search_locations or ()) if parent else ():
        if (Path(folder) / "translate" / "main.py").is_file():
            return Path(folder).parent
    raise MissingDependencyError(f"Fast Downward's translator is not installed: {_INSTALL}")
