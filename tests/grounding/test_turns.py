"""Robots that a text names apart do different things, unless it says that they do the same."""

from __future__ import annotations

import pytest

from commonground.grounding.fidelity.turns import is_named_apart

TEAM = ("spot", "husky")


@pytest.mark.parametrize(
    "text",
    [
        "The valve and the pump shall be inspected, the valve by Spot and the pump by Husky.",
        "Spot takes the van. Husky looks at the truck.",
    ],
)
def test_robots_with_things_of_their_own_are_named_apart(text: str) -> None:
    assert is_named_apart(text, TEAM)


@pytest.mark.parametrize(
    "text",
    [
        "Spot and Husky, inspect the valve and the pump.",
        "The valve and the pump are for Spot, and Husky goes over them, too.",
        "Spot, inspect the valve and the pump.",
        "Husky does the vans; Spot does the same.",
    ],
)
def test_robots_that_are_named_together_are_not(text: str) -> None:
    assert not is_named_apart(text, TEAM)
