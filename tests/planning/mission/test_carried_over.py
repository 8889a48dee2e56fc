"""What a mission hands over to the next one by its map: what is gone, and things that stand on the ground."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.demo import sample_scene, sample_team
from commonground.grounding import Grounder
from commonground.grounding.lookup import find
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.learned import learned_scene
from commonground.planning.mission.simulation import Simulated, simulate_mission
from commonground.planning.result import Status
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.protocol import Sighting
from commonground.planning.robots.simulated import SimWorld
from commonground.planning.scene.footing import place_layer
from commonground.planning.team import plan_scene
from commonground.planning.team.world import scene_after
from commonground.scene import SceneGraph, load_scene, save_scene
from commonground.scene.gone import gone_things, with_gone, without_gone
from commonground.scene.summary import notes
from tests.planning.mission.scenes import at, grid, team

TOLD = "O1 was not there when anna looked"
TWO = team(anna=(0, 0), bert=(6, 3))


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> SceneGraph:
    """The map of a mission in which a thing was looked for everywhere, in vain."""
    missing = [Fault("missing", thing="O1")]
    went = simulate_mission(grid(), TWO, {"anna": "(safe O1)"}, missing)
    assert went.end.status != "done"
    file = tmp_path_factory.mktemp("gone") / "scene.json"
    save_scene(learned_scene(went.mission.belief), file)
    return load_scene(file)


def carried(graph: SceneGraph, goals: dict[str, str]) -> Simulated:
    return simulate_mission(graph, TWO, goals)


def test_what_is_gone_is_planned_for_no_more(after: SceneGraph) -> None:
    assert gone_things(after) == {"O1": TOLD}
    plan = plan_scene(after, TWO, {"anna": "(safe O1)"})
    assert (plan.status, plan.reason) == (Status.UNSOLVABLE, TOLD)
    either = plan_scene(after, TWO, {"anna": "(or (safe O1) (safe O3))"})
    assert [a.target for a in either.robots["anna"].actions] == ["O3", "O3"]
    kept = plan_scene(after, TWO, {"anna": "(and (safe O3) (not (visited-object O1)))"})
    assert kept.status is Status.SOLVED
    assert TOLD in notes(after)


def test_the_next_mission_does_not_look_again_where_it_was_looked_for(after: SceneGraph) -> None:
    went = carried(after, {"anna": "(safe O1)", "bert": "(safe O3)"})
    assert [(d.robot, d.thing) for d in went.world.deeds] == [("bert", "O3")]
    assert f"{TOLD}, and is not in R0, R1" in went.end.reason
    assert gone_things(learned_scene(went.mission.belief)) == {"O1": TOLD}
    assert "O1" not in SimWorld(after, TWO).lies


def test_where_nobody_looked_yet_a_thing_that_is_gone_is_looked_for(after: SceneGraph) -> None:
    went = carried(with_gone(after, {"O1": ["R0"]}), {"anna": "(safe O1)"})
    assert {d.thing for d in went.world.deeds} == set()
    assert any("R1" in place for t in went.mission.done for place in (t.target,))


def test_what_is_met_elsewhere_is_gone_no_more(after: SceneGraph) -> None:
    belief = SceneBelief.of(after, TWO, {"anna": "(safe O1)"})
    assert belief.see(1.0, "bert", Sighting("O1", at(5, 5))) is not None
    found = learned_scene(belief)
    assert gone_things(found) == {}
    assert found.objects.metadata(found.objects.row("O1"))["seen_by"] == "bert"
    assert plan_scene(belief.graph, TWO, {"anna": "(safe O1)"}).status is Status.SOLVED


def test_words_do_not_mean_what_is_gone_and_say_so() -> None:
    graph = with_gone(sample_scene(), {"O38": []})
    told = "O38 is gone, as the map tells"
    assert "O38" not in [hit.symbol for hit in find(graph, "flag").hits]
    assert told in find(graph, "flag").notes
    grounder = Grounder(graph, sample_team())
    found = grounder.ground("Spot, inspect the flag.")
    assert "O38" not in str(found.goals) and told in found.message
    assert told not in grounder.ground("Spot, inspect the bicycle.").message
    assert len(without_gone(graph).objects) == len(graph.objects) - 1


def test_what_is_put_down_stands_on_the_ground() -> None:
    graph = sample_scene()
    layer = place_layer(graph)
    put = graph.layers[layer].symbols[3]
    moved = scene_after(graph, layer, {"O38": put})
    assert moved.objects.boxes is not None
    row = moved.objects.row("O38")
    ground = moved.position(put)
    assert moved.objects.boxes.bounds()[0][row, 2] == pytest.approx(ground[2])
    assert np.allclose(moved.objects.positions[row, :2], ground[:2])
    world = SimWorld(graph, sample_team(), [Fault("moved", thing="O38", position=(5.0, 5.0, 0.0))])
    assert world.lies["O38"][2] == pytest.approx(graph.objects.rises_m[row, 2])
