"""What is left to plan for: things that are not where they were are looked for first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.remaining import (
    all_of,
    parts_of,
    remaining,
    with_what_is_there,
)
from commonground.planning.mission.scene_now import Scene
from commonground.planning.pddl import FALSE, Atom, Formula, to_pddl
from commonground.planning.scene.goal import literals
from commonground.planning.team.world import things_in
from commonground.symbols import symbol_of

MOST_SEARCHED = 6
"""So many regions are searched for a thing that is not where it was."""


def sought(
    belief: SceneBelief, scene: Scene, goals: Mapping[str, Formula]
) -> tuple[dict[str, Formula], dict[str, str], list[tuple[str, str]]]:
    """Return what is left to plan for, what is looked for where, and the parts that cannot be reached."""
    wishes: dict[str, Formula] = {}
    searching: dict[str, str] = {}
    lost: list[tuple[str, str]] = []
    for name, goal in goals.items():
        if name not in scene.team:
            why = scene.absent.get(name, "no robot is left")
            lost += [(to_pddl(p), why) for p in parts_of(goal)[0]]
            continue
        to_do, avoided = parts_of(remaining(goal, belief.execution(name)))
        wanted: list[Formula] = []
        for part in to_do:
            present = with_what_is_there(part, scene.graph)
            if present != FALSE:
                wanted.append(present)
                continue
            thing = next(a for a in sorted(things_in(part)) if a not in scene.graph)
            region = searching.get(thing) or _next_region(belief, thing, avoided)
            if region:
                searching[thing] = region
                wanted.append(Atom("explored-region", (region,)))
            else:
                lost.append((to_pddl(part), _why_gone(belief, thing)))
        shown = [with_what_is_there(a, scene.graph) for a in avoided]
        wishes[name] = all_of(*wanted, *shown)
    return wishes, searching, lost


def _next_region(belief: SceneBelief, thing: str, avoided: Sequence[Formula]) -> str:
    """Return the nearest region in which a thing was not looked for yet; '' where enough was searched."""
    tried = belief.searched.get(thing, [])
    graph = belief.graph
    if thing not in belief.gone or len(tried) >= MOST_SEARCHED or not graph.has("regions"):
        return ""
    shut = {x.args[0] for part in avoided for x in literals(part)}
    region = graph.ancestors(belief.layer, "regions")
    at = graph.layers[belief.layer].positions
    gap = np.linalg.norm(at - graph.position(thing), axis=1)
    for row in np.argsort(gap, kind="stable").tolist():
        if region[row] >= 0:
            symbol = symbol_of(int(graph.regions.ids[region[row]]))
            if symbol not in tried and symbol not in shut:
                return symbol
    return ""


def _why_gone(belief: SceneBelief, thing: str) -> str:
    if thing not in belief.gone:
        return f"{thing} is in the gripper of a robot that takes no part any more"
    where = ", ".join(belief.searched.get(thing, []))
    return belief.gone[thing] + (f", and is not in {where}" if where else "")
