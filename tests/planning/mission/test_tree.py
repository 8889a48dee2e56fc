"""The tree of a plan does what the plan does, late robots or not, and fails into a safe condition."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonground.planning.behavior import TickStatus, parse_tree, tree_xml
from commonground.planning.mission.audit import audit
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Ask
from commonground.planning.mission.made_up import make_mission
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import SimClock
from commonground.planning.mission.tree import tree_of_tasks
from commonground.planning.mission.truth import unreached
from commonground.planning.mission.views import View
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.simulated import SimWorld
from tests.planning.mission.tree_hands import carry_out_tree

pytest.importorskip("py_trees")
EITHER = pytest.mark.parametrize("by_py_trees", [False, True])
CROSSING = 5040
"""Three robots whose ways cross."""


def carried_out(
    seed: int, faults: Sequence[Fault], by_py_trees: bool
) -> tuple[TickStatus, SimWorld, list[object]]:
    """Carry the plan of a made-up mission out by its tree, and return what is left of the goals."""
    graph, team, goals, _ = make_mission(seed)
    belief = SceneBelief.of(graph, team, goals)
    views = {r.name: View((r.position[0], r.position[1], r.position[2])) for r in team}
    for name, view in views.items():
        belief.stand(name, view.position)
    plan = ScenePlanner(seed).plan(belief, Ask(1, "first", "test"), views)
    assert plan.reason == ""
    belief.adopt(plan)
    tree = tree_of_tasks(plan.tasks, {r.name: r.radius_m for r in team})
    assert [part.name for part in tree.parts()] == list(dict.fromkeys(t.robot for t in plan.tasks))
    again = parse_tree(tree_xml(tree))
    assert again == tree
    world = SimWorld(graph, team, faults)
    status = carry_out_tree(
        again, plan.tasks, belief, world.robots, SimClock(world), by_py_trees=by_py_trees
    )
    assert audit(graph, team, goals, world.moments, world.deeds) == []
    assert all(robot.state != "running" for robot in world.robots.values())
    return status, world, list(unreached(graph, team, goals, world))


@EITHER
def test_a_tree_reaches_the_goals(by_py_trees: bool) -> None:
    status, _, missed = carried_out(CROSSING, (), by_py_trees)
    assert status is TickStatus.SUCCESS and not missed


@EITHER
@pytest.mark.parametrize("late", ["robot0", "robot1", "robot2"])
def test_late_robots_are_waited_for(late: str, by_py_trees: bool) -> None:
    slow = (Fault("slow", robot=late, factor=0.25), Fault("stuck", robot=late, at_s=5, lasts_s=4))
    status, _, missed = carried_out(CROSSING, slow, by_py_trees)
    assert status is TickStatus.SUCCESS and not missed


@EITHER
def test_a_robot_that_breaks_down_ends_the_tree_with_everybody_standing(by_py_trees: bool) -> None:
    broken = (Fault("battery", robot="robot1", at_s=4.0),)
    status, world, missed = carried_out(CROSSING, broken, by_py_trees)
    assert status is TickStatus.FAILURE and missed
    assert "battery" in {r.told[0] for r in world.robots.values()}
    world.advance(1.0)
    assert [m.position for m in world.moments[-3:]] == [m.position for m in world.moments[-6:-3]]
