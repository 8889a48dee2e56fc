"""Colors of regions: ground looks like ground, and regions of a kind are told apart."""

from __future__ import annotations

from pathlib import Path

from commonground.scene import load_scene
from commonground.scene.hues import GROUND, PALETTE, class_colors, color_of, region_colors

COURTYARD = Path(__file__).resolve().parents[2] / "commonground/data/courtyard.json"


def test_ground_has_its_color_and_two_of_a_kind_have_two_shades() -> None:
    graph = load_scene(COURTYARD)
    names = graph.proper_names("regions")
    colors = dict(zip(names, region_colors(graph), strict=True))
    green = next(shades for words, shades in GROUND.items() if "lawn" in words)
    assert {colors["north lawn"], colors["south lawn"]} <= set(green)
    assert colors["north lawn"] != colors["south lawn"]
    assert colors["bus shelter"] in PALETTE


def test_every_region_has_a_color() -> None:
    graph = load_scene(COURTYARD)
    assert len(region_colors(graph)) == len(graph.regions)


def test_more_classes_than_colors_have_one_each() -> None:
    colors = [color_of(k) for k in range(3 * len(PALETTE))]
    assert len({*colors}) == len(colors)
    assert colors[: len(PALETTE)] == list(PALETTE)


def test_a_class_has_one_color_whatever_else_a_map_holds_and_no_other_class_has_it() -> None:
    words = [f"thing {k}" for k in range(3 * len(PALETTE))]
    assert len(set(class_colors(words).values())) == len(words)
    few, more = (
        class_colors(["bench", "sign", "oak tree"]),
        class_colors(["sign", "bench", "zebra"]),
    )
    assert few["bench"] == more["bench"] and few["sign"] == more["sign"]
    assert few["oak tree"] == class_colors(["tree"])["tree"]
