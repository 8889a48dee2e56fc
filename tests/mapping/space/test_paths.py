"""Paths over surface places: as long as true ones, never through what stands between two centers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.mapping import Mapper
from commonground.mapping.perception import GroundTruthPerception
from tools.scoring.ground import GroundSeen, PathScores, evaluate_paths

WALL_X, DOOR_Y = 4.0, 1.0


@pytest.fixture(scope="module")
def rooms(make_stage: Any, block: Any, looking: Any) -> Any:
    """What a robot sees of two rooms: a wall 12 cm thick between them that is open at one end."""
    stage = make_stage(noise=0.002)
    paint = {"label": 5, "color": (160, 160, 160)}
    walls = [
        block(0, (WALL_X, DOOR_Y - 3.0, 1.0), (0.12, 4.0, 2.0), **paint),
        block(0, (4.0, -4.05, 1.0), (9.0, 0.1, 2.0), **paint),
        block(0, (4.0, 3.05, 1.0), (9.0, 0.1, 2.0), **paint),
        block(0, (-0.55, -0.5, 1.0), (0.1, 7.2, 2.0), **paint),
        block(0, (8.55, -0.5, 1.0), (0.1, 7.2, 2.0), **paint),
    ]
    stops = [
        ((1.5, 1.5), 12),
        ((1.5, -2.0), 12),
        ((4.0, 2.0), 12),
        ((6.5, -2.0), 12),
        ((6.5, 1.5), 12),
    ]
    views = [
        looking((x, y, 0.8), (x + 2 * np.cos(a), y + 2 * np.sin(a), 0.3))
        for (x, y), turns in stops
        for a in np.linspace(0, 2 * np.pi, turns, endpoint=False)
    ]
    frames = [stage.frame(walls, T, (i + 1) * 2_500_000_000) for i, T in enumerate(views)]
    seen = GroundSeen(stage.labels, ("floor",))
    mapper = Mapper(GroundTruthPerception(stage.labels, ("floor", "wall")))
    for frame in frames:
        seen.add(frame)
        mapper.integrate(frame)
    along = np.arange(DOOR_Y - 5.0, DOOR_Y - 1.0, 0.05)
    return mapper.finish().graph, seen.ground(), np.c_[np.full(len(along), WALL_X), along]


def scores(rooms: Any) -> PathScores:
    graph, ground, obstacles = rooms
    rng = np.random.default_rng(0)
    layer = graph.layers["surface_places"]
    return evaluate_paths(layer, ground, obstacles, rng, least_m=3.0, sources=100)


def test_paths_are_as_long_as_true_ones(rooms: Any) -> None:
    found = scores(rooms)
    assert found.pairs > 100
    assert found.connected == 1.0
    assert found.within_10_percent > 0.9
    assert found.median < 1.06


def test_no_edge_passes_a_wall(rooms: Any) -> None:
    layer = rooms[0].layers["surface_places"]
    a, b = layer.positions[layer.edges.rows].transpose(1, 0, 2)
    crossing = (a[:, 0] < WALL_X) != (b[:, 0] < WALL_X)
    assert crossing.any()
    y = at_x(a[crossing], b[crossing], WALL_X)
    assert (y > DOOR_Y - 1.0 - 0.1).all()


def test_outlines_end_at_walls(rooms: Any) -> None:
    outlines = rooms[0].layers["surface_places"].boundaries
    sides = [outlines[k][:, 0] - WALL_X for k in range(len(outlines))]
    beside = [k for k in range(len(outlines)) if outlines[k][:, 1].max() < DOOR_Y - 1.0]
    assert {bool(sides[k].mean() > 0) for k in beside} == {True, False}
    assert all(abs(sides[k]).min() >= 0 and len(set(np.sign(sides[k]))) == 1 for k in beside)


def at_x(a: Floats, b: Floats, x: float) -> Floats:
    share = (x - a[:, 0]) / (b[:, 0] - a[:, 0])
    return np.asarray(a[:, 1] + share * (b[:, 1] - a[:, 1]))
