"""Ground that no image names goes on where it is level with ground that has a class, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.frame import Frame
from commonground.geometry import apply
from commonground.mapping import Mapper
from commonground.mapping.perception import GroundTruthPerception
from commonground.mapping.space.region_scores import owners

THRESHOLD_X, BENCH_X = (3.0, 4.2), 6.0
"""The floor between these is taken for a thing; so is a low bench farther on."""
CRATE = 2


def misread(frame: Frame) -> Frame:
    """The frame with the floor of a threshold taken for something else, and nothing masked."""
    x = apply(frame.T_world_cam, np.nan_to_num(frame.points_cam()).reshape(-1, 3).astype(float))
    x = x[:, 0].reshape(frame.depth_m.shape)
    there = (x > THRESHOLD_X[0]) & (x < THRESHOLD_X[1])
    labels = np.where(there & (frame.labels == 1), CRATE, frame.labels).astype(np.int32)
    return replace(frame, labels=labels, instances=np.zeros_like(frame.instances))


@pytest.fixture(scope="module")
def corridor(make_stage: Any, block: Any, looking: Any) -> Mapper:
    """The map of a corridor with such a threshold."""
    stage = make_stage(noise=0.002)
    things = [
        block(0, (4.0, side * 1.4, 1.0), (14.0, 0.2, 2.0), label=5, color=(160, 160, 160))
        for side in (-1, 1)
    ]
    things.append(block(0, (BENCH_X, 0.6, 0.12), (1.0, 1.0, 0.24), label=CRATE))
    mapper = Mapper(GroundTruthPerception(stage.labels, ("floor", "wall")))
    for i, x in enumerate(np.arange(0.0, 6.0, 0.2)):
        view = looking((x, -0.2, 0.8), (x + 3, -0.2, 0.3))
        mapper.integrate(misread(stage.frame(things, view, (i + 1) * 250_000_000)))
    return mapper


def test_a_floor_taken_for_a_thing_does_not_cut_the_ground(corridor: Mapper) -> None:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    surface = corridor.finish().graph.layers["surface_places"]
    x = np.arange(THRESHOLD_X[0], THRESHOLD_X[1], 0.05)
    owner = owners(surface, np.c_[x, np.zeros((len(x), 2))])
    assert (owner >= 0).mean() > 0.95
    assert set(surface.names) == {"floor"}
    n, (i, j) = len(surface), surface.edges.rows.T
    _, part = connected_components(coo_matrix((np.ones(len(i)), (i, j)), (n, n)), directed=False)
    before = part[surface.positions[:, 0] < THRESHOLD_X[0]]
    after = part[surface.positions[:, 0] > THRESHOLD_X[1]]
    assert set(before) & set(after)


def test_what_stands_on_the_ground_does_not_become_ground(corridor: Mapper) -> None:
    corridor.finish()
    ground = corridor.segments[-1].ground
    rows = ground.rows()
    on = (np.abs(ground.positions(rows) - [BENCH_X, 0.6, 0.24]) < [0.4, 0.4, 0.03]).all(axis=1)
    assert on.sum() > 8
    assert (ground.cells.patch[rows[on]] < 0).all()
