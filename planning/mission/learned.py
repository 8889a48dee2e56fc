"""The scene as a mission leaves it: where things are, what is gone, what stands in the way, who saw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.obstacles import added
from commonground.planning.team.check import AWAY
from commonground.planning.team.world import scene_after
from commonground.scene import SceneGraph
from commonground.scene.gone import GONE, with_gone


def learned_scene(belief: SceneBelief) -> SceneGraph:
    """Return the map with what was learned; nodes that changed tell ``seen_by`` and ``seen_at_s``.

    What is gone stays in the map, where it was last, with ``gone`` and the regions in which it was searched;
    what robots met and the map did not know is an object named obstacle.
    """
    lies = {t: p for t, p in belief.state.lies.items() if p != AWAY}
    graph = scene_after(belief.graph, belief.layer, lies, belief.state.safe)
    objects = added(graph.objects, belief.obstacles, belief.graph.objects)
    told: list[Mapping[str, Any]] = list(objects.extras) or [{}] * len(objects)
    first = len(graph.objects)
    rows = {symbol: row for row, symbol in enumerate(graph.objects.symbols)}
    for change in belief.changes:
        row = rows.get(change.thing, first) if change.thing else first
        first += not change.thing
        seen = {"seen_by": change.robot, "seen_at_s": round(change.time_s, 1)}
        here = {GONE: False} if change.thing else {}
        told[row] = {**told[row], "metadata": {**objects.metadata(row), **seen, **here}}
    graph = graph.with_layer("objects", replace(objects, extras=tuple(told)))
    return with_gone(graph, {thing: belief.searched.get(thing, ()) for thing in belief.gone})
