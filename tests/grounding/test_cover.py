"""Texts of which the grammar reads the orders, and passes over what stands between them."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.frontends.offline import OfflineBackend
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})


@pytest.fixture(scope="module")
def covering() -> OfflineBackend:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    world = World(sample_scene(), Team({"spot": spot, "husky": husky}))
    return OfflineBackend(world, GroundingSettings())


def _goals(covering: OfflineBackend, text: str) -> dict[str, str]:
    found = covering.cover(text)
    return {} if found is None else dict(found.goals or {})


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Blimey, what a morning. Husky, inspect the flag.", "Husky, inspect the flag."),
        ("Husky, inspect the flag at some point on your round today.", "Husky, inspect the flag."),
        ("Flag: inspect. Husky.", "Husky, inspect the flag."),
        ("Husky, make a quick pass by the rock.", "Husky, go to the rock."),
        ("When everything is over, Husky should wait at the flag.", "Husky, wait at the flag."),
        ("End position for Husky: the flag.", "Husky, wait at the flag."),
    ],
)
def test_orders_are_read_among_other_words(covering: OfflineBackend, text: str, plain: str) -> None:
    wanted = covering.ground(plain)
    assert wanted.goals
    assert _goals(covering, text) == dict(wanted.goals)


@pytest.mark.parametrize(
    "text",
    [
        "Anymal is such a climber, so could Anymal please go and inspect the flag?",
        "Husky, inspect the flag, wibbling the rock.",
        "Somebody will inspect the flag.",
        "Husky, inspect the flag near whatever that is.",
        "The flag. Husky, go to the rock.",
        "",
        "inspect " * 500,
    ],
)
def test_what_may_change_an_order_is_not_passed_over(covering: OfflineBackend, text: str) -> None:
    assert not _goals(covering, text)


@pytest.mark.parametrize(
    "text",
    [
        "Not Husky, Spot: inspect the flag.",
        "Flag inspected, rock not inspected. Husky, go to the window at last.",
        "Husky, go to the flag as soon as Spot has inspected the rock.",
        "Husky, pretend to inspect the flag.",
    ],
)
def test_reports_and_other_robots_make_no_orders(covering: OfflineBackend, text: str) -> None:
    found = _goals(covering, text)
    assert "husky" not in found or "O38" not in found["husky"], found
