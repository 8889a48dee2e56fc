"""The catalog of things that no label list has, and their portraits."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.datasets.labels import OBJECT_WORDS
from commonground.datasets.simulator.camera import Renderer
from commonground.mapping.perception.words import OBJECT_WORDS as MAPPED_WORDS
from tools.showroom.catalog import PAINTS, attributes, catalog, make
from tools.showroom.portraits import portraits
from tools.showroom.showroom import all_kinds, showroom


def test_each_kind_of_the_catalog_stands_on_the_ground_and_has_a_size() -> None:
    rng = np.random.default_rng(0)
    assert len(all_kinds()) >= 200
    for name in catalog():
        low, high = make(name, rng).bounds()
        assert low[2] > -0.05, name
        assert ((high - low) > 0.005).all() and (high - low).max() < 7, name


def test_most_kinds_are_in_no_label_list() -> None:
    new = set(catalog()) - {*OBJECT_WORDS, *MAPPED_WORDS}
    assert len(new) > 0.85 * len(catalog())


def test_paint_is_what_people_would_say() -> None:
    rng = np.random.default_rng(1)
    red = make("beanbag", rng, (PAINTS[0][0], 0))
    assert attributes(red) == ("red", "")
    textures = {attributes(make("beanbag", rng))[1] for _ in range(60)}
    assert {"", "wooden", "stone", "striped"} <= textures


def test_the_same_seed_makes_the_same_showroom() -> None:
    names = ("bus", "cup", "bench")
    a, b, c = (showroom(names, seed) for seed in (3, 3, 4))
    assert (a.soup().vertices == b.soup().vertices).all()
    assert a.soup().vertices.shape != c.soup().vertices.shape or (
        (a.soup().vertices != c.soup().vertices).any()
    )


def test_portraits_show_the_thing_they_are_of() -> None:
    pytest.importorskip("open3d")
    world = showroom(("bus", "cup", "palm tree", "snowman"), 5)
    renderer = Renderer(world)
    for thing in world.things:
        shots = list(portraits(renderer, thing, 3, np.random.default_rng(thing.index)))
        assert len(shots) >= 2, thing.kind
        for shot in shots:
            x0, y0, x1, y1 = shot.box
            assert shot.mask[y0:y1, x0:x1].sum() == shot.mask.sum() >= 60
            assert shot.rgb.shape == (*shot.mask.shape, 3)


def test_parts_of_fixed_paint_are_told_from_the_paint_of_the_thing() -> None:
    """A black chest has light handles: what tells a kind is to be seen on each one of it."""
    for name in ("chest of drawers", "stool", "fire extinguisher"):
        for color in PAINTS[0]:
            shape = make(name, np.random.default_rng(0), (color, 0))
            others = {tuple(c) for c in shape.colors.tolist()} - {color}
            assert others
            assert all(max(abs(a - b) for a, b in zip(c, color, strict=True)) >= 60 for c in others)


def test_a_capital_letter_draws_a_part_on_the_far_side_too() -> None:
    low, high = make("locker", np.random.default_rng(0)).bounds()
    assert low[1] == pytest.approx(-high[1], rel=1e-6)


def test_a_roof_stands_on_its_eaves() -> None:
    low, high = make("tent", np.random.default_rng(0)).bounds()
    assert low[2] == pytest.approx(0) and high[2] > 1
