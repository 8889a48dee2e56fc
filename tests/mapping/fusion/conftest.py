"""Teams of robots whose maps and true paths are known."""

from __future__ import annotations

import pytest

from commonground.mapping.fusion.evaluation.teams import Team, made_up


@pytest.fixture(scope="session")
def team() -> Team:
    """Three robots on one campus, 200 m each."""
    return made_up(seed=3, robots=3, submaps=20, extent_m=160.0)
