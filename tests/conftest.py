"""What every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# time limits do not belong in tests; the same examples every time, new ones with EXPLORE=1
settings.register_profile("project", deadline=None, derandomize="EXPLORE" not in os.environ)
settings.load_profile("project")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Development data beside the checkout; a test that needs it is skipped where it is absent."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("no development data beside this checkout")
    return folder
