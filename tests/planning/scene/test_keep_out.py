"""A region that is kept out of is all of its outlines, wherever the middles of its places are."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from commonground.geometry import from_xyz_yaw
from commonground.planning.mission.audit import audit
from commonground.planning.result import Status
from commonground.planning.scene import certify, parse_goal
from commonground.planning.scene.keep_out import of_region
from commonground.planning.scene.plan import Action
from commonground.planning.team import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

KEEP_OUT = "(not (visited-region R1))"
CORRIDOR = [(2.0 * k, 2.0 * k + 2.0, 0.0, 1.6) for k in range(9)]


def ground(cells: list[tuple[float, float, float, float]], banned: int) -> SceneGraph:
    """Rectangles (x from, x to, y from, y to), those that touch joined; the last ones are region R1."""
    corners = [
        np.array([[a, c, 0], [b, c, 0], [b, d, 0], [a, d, 0]], float) for a, b, c, d in cells
    ]
    touching = [
        (i, j)
        for (i, p), (j, q) in itertools.combinations(enumerate(cells), 2)
        if min(p[1], q[1]) >= max(p[0], q[0]) and min(p[3], q[3]) >= max(p[2], q[2])
        if min(p[1], q[1]) - max(p[0], q[0]) + min(p[3], q[3]) - max(p[2], q[2]) > 0.9
    ]
    n = len(cells)
    own = np.array([int(k >= n - banned) for k in range(n)])
    at = np.array([c.mean(axis=0) for c in corners])
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(n)),
        at,
        edges=Edges.of(touching),
        boundaries=Ragged.of(corners),
    )
    middles = [at[own == k].mean(axis=0) for k in (0, 1)]
    layers = {
        "objects": Layer.of(OBJECTS, node_ids("O", [0]), [at[0]]),
        "surface_places": places,
        "regions": Layer.of(REGIONS, node_ids("R", np.arange(2)), middles),
    }
    graph = SceneGraph(layers=layers)
    return graph.with_links("surface_places", "regions", np.c_[np.arange(n), own])


def robots(**at: tuple[float, float]) -> Team:
    able = frozenset({"goto", "inspect"})
    made = (Robot(n, from_xyz_yaw([*xy, 0, 0]), able, radius_m=0.45) for n, xy in at.items())
    return Team({robot.name: robot for robot in made})


HALL = ground(
    [*CORRIDOR, (18.0, 22.0, -1.0, 3.0), (-4.0, 0.0, -1.0, 3.0), (6.0, 14.0, 1.6, 9.6)], 1
)
"""A corridor, a room at each end of it, and a hall beside it to keep out of."""


def test_nobody_steps_aside_into_a_banned_region_whose_middle_is_far() -> None:
    team = robots(a=(-2, 1), b=(20, 1))
    goals = {"a": "(at-place P9)", "b": "(at-place P10)", "team": KEEP_OUT}
    plan = plan_scene(HALL, team, goals, watch=WorkWatch())
    assert plan.status is Status.SOLVED
    hall = of_region(HALL, "surface_places", "R1")
    assert hall is not None
    for own in plan.robots.values():
        assert not hall.entered_by([a.path_map for a in own.actions])


@pytest.mark.parametrize(("y", "told"), [(1.5, False), (1.75, True)])
def test_the_certificate_and_the_audit_find_who_is_beside_a_place_and_in_a_banned_region(
    y: float, told: bool
) -> None:
    team, stand = robots(a=(9, 0.8)), np.array([9.0, y, 0.0])
    line = np.array([[9.0, 0.8, 0.0], stand])
    goal = parse_goal(KEEP_OUT, HALL)
    found = certify(HALL, team["a"], goal, [Action("goto", "P4", line, ("P4",))], "surface_places")
    assert any("goal does not hold" in fault for fault in found) is told
    moments = [(0.0, "a", (9.0, 0.8, 0.0), ""), (1.0, "a", (9.0, y, 0.0), "")]
    assert [f.kind for f in audit(HALL, team, {"a": KEEP_OUT}, moments, [])] == ["keep-out"] * told


def test_a_way_between_allowed_places_does_not_cut_a_banned_corner() -> None:
    banned = (2.0, 6.0, 0.0, 4.0)
    around = [
        (0.0, 2.0, 0.0, 2.0),
        (0.0, 2.0, 2.0, 8.0),
        (2.0, 8.0, 4.0, 8.0),
        (6.0, 8.0, 0.0, 4.0),
    ]
    graph = ground([*around, banned], 1)
    graph = graph.with_layer(
        "surface_places",
        Layer.of(
            SURFACE_PLACES,
            graph.surface_places.ids,
            graph.surface_places.positions,
            edges=Edges.of([(0, 1), (1, 2), (2, 3), (0, 3), (0, 4)]),
            boundaries=graph.surface_places.boundaries,
        ),
    )
    free = plan_scene(graph, robots(a=(1, 1)), {"a": "(at-place P3)"})
    assert free.robots["a"].cost_m == pytest.approx(6.1, abs=0.3)
    bound = plan_scene(graph, robots(a=(1, 1)), {"a": f"(and (at-place P3) {KEEP_OUT})"})
    assert bound.status is Status.SOLVED
    assert bound.robots["a"].cost_m > 10.0


def test_who_stands_over_the_rim_of_a_banned_region_may_leave_it() -> None:
    team = robots(a=(9.0, 1.9))
    plan = plan_scene(HALL, team, {"a": "(at-place P10)", "team": KEEP_OUT})
    assert plan.status is Status.SOLVED
