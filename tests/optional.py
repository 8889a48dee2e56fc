"""Tests of what not every installation has."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(*modules: str) -> None:
    """Skip the calling module where others are missing; they are loaded by the tests that use them.

    Every worker collects all tests, and ``pytest.importorskip`` would load networks' libraries in each.
    """
    for name in modules:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed", allow_module_level=True)
