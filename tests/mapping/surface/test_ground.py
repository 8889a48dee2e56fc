"""What is ground: up to the foot of walls, of the class it is, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commonground.mapping import Mapper
from commonground.mapping.perception import ClassicalPerception, GroundTruthPerception
from commonground.mapping.space.region_scores import owners
from commonground.scene.parts import connected

FACE_M = 1.26
"""Where the walls of the corridor begin, on either side: within a cell."""


@pytest.fixture(scope="module")
def corridor(make_stage: Any, block: Any, looking: Any) -> list[Any]:
    """Frames of a drive along a corridor between two walls, with some noise."""
    stage = make_stage(noise=0.003)
    walls = [
        block(
            0, (4.0, side * (FACE_M + 0.1), 1.0), (14.0, 0.2, 2.0), label=5, color=(160, 160, 160)
        )
        for side in (-1, 1)
    ]
    return [
        stage.frame(walls, looking((x, 0.1, 0.8), (x + 3, 0.1, 0.4)), round((i + 1) * 2.5e8))
        for i, x in enumerate(np.arange(0.0, 5.0, 0.2))
    ]


@pytest.mark.parametrize("masks", ["true", "classical"])
def test_ground_reaches_to_the_foot_of_walls(corridor: Any, stage: Any, masks: str) -> None:
    see = GroundTruthPerception(stage.labels, ("floor", "wall"))
    mapper = Mapper(see if masks == "true" else ClassicalPerception())
    for frame in corridor:
        mapper.integrate(frame)
    surface = mapper.finish().graph.layers["surface_places"]
    x = np.arange(2.0, 6.0, 0.05)

    def held(y: float) -> float:
        sides = [np.c_[x, np.full(len(x), side * y), np.zeros(len(x))] for side in (-1, 1)]
        return float((owners(surface, np.concatenate(sides)) >= 0).mean())

    # beyond the last whole cell noise decides column by column
    assert held(FACE_M - 0.02) > 0.2
    assert held(FACE_M + 0.15) < 0.05
    assert set(surface.names) == {"floor" if masks == "true" else "ground"}


@pytest.mark.parametrize("start_m", [0.0, 0.07, 0.13])
def test_where_a_robot_began_is_connected_to_what_it_saw_from_there(
    make_stage: Any, block: Any, looking: Any, start_m: float
) -> None:
    """The ground at its feet was never in an image, and half of the first cell that was is unseen."""
    stage = make_stage(noise=0.003)
    box = [block(0, (6.0, 2.0, 0.5), (1.0, 1.0, 1.0), label=5, color=(160, 160, 160))]
    mapper = Mapper(GroundTruthPerception(stage.labels, ("floor",)))
    for i, x in enumerate(np.arange(start_m, 8.0, 0.5)):
        mapper.integrate(stage.frame(box, looking((x, 0, 0.8), (x + 3, 0, 0.6)), (i + 1) * 10**9))
    surface = mapper.finish().graph.layers["surface_places"]
    part = connected(len(surface), surface.edges.rows)
    x = np.arange(start_m, 7.5, 0.05)
    under = owners(surface, np.c_[x, np.zeros((len(x), 2))])
    assert surface.columns["traversed"][under].all()
    assert len(set(part[under])) == 1 and under.min() >= 0


def test_what_stands_beside_a_path_is_no_ground_though_it_is_within_a_footprint(
    make_stage: Any, block: Any, looking: Any
) -> None:
    stage, face_m = make_stage(noise=0.003), 0.25
    walls = [
        block(0, (4.0, side * (face_m + 0.3), 0.5), (14.0, 0.6, 1.0), label=5) for side in (-1, 1)
    ]
    mapper = Mapper(GroundTruthPerception(stage.labels, ("floor", "wall")))
    for i, x in enumerate(np.arange(0.0, 5.0, 0.2)):
        view = looking((x, 0, 0.8), (x + 3, 0, 0.3))
        mapper.integrate(stage.frame(walls, view, round((i + 1) * 2.5e8)))
    surface = mapper.finish().graph.layers["surface_places"]
    x = np.arange(2.0, 5.0, 0.05)
    assert (owners(surface, np.c_[x, np.zeros((len(x), 2))]) >= 0).mean() > 0.9
    for side in (-1, 1):
        beside = np.c_[x, np.full(len(x), side * (face_m + 0.12)), np.zeros(len(x))]
        assert (owners(surface, beside) >= 0).mean() < 0.05


def test_open_ground_among_things_is_no_room_and_between_walls_it_is(
    make_stage: Any, block: Any, looking: Any, corridor: Any
) -> None:
    stage = make_stage(noise=0.003)
    boxes = [
        block(0, (2.0 + 2.5 * k, side * (1.8 + 0.4 * (k % 2)), 0.5), (0.7, 0.6, 1.0), label=5)
        for k in range(5)
        for side in (-1, 1)
    ]
    field = [
        stage.frame(boxes, looking((x, 0, 0.8), (x + 3, 0, 0.4)), round((i + 1) * 2.5e8))
        for i, x in enumerate(np.arange(0.0, 8.0, 0.25))
    ]
    names = []
    for frames in (field, corridor):
        mapper = Mapper(ClassicalPerception())
        for frame in frames:
            mapper.integrate(frame)
        regions = mapper.finish().graph.layers["regions"]
        names.append(regions.names[int(regions.columns["area_m2"].argmax())])
    assert names == ["ground", "room"]
