"""Stops at places, objects and regions that have to be visited, and at places from which a region is seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Ints
from commonground.planning.scene.carrying import Carrying
from commonground.planning.scene.drafting import Draft
from commonground.planning.scene.errand import Area, Impossible, Stop
from commonground.planning.scene.goal import Literal
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.planning.scene.sight import sights
from commonground.planning.scene.vocabulary import VISITS


def visit(draft: Draft, carrying: Carrying) -> None:
    """Go where nothing else leads already."""
    stops = draft.errand.stops
    seen = {s.targets[0] for s in stops if len(s.targets) == 1}
    for literal in draft.demanded("visited-object", "visited-place"):
        target = literal.args[0]
        if target not in seen and not draft.starts_at(literal):
            seen.add(target)
            draft.errand.add(Stop("goto", literal.args, (draft.spot(target),)))
    for choice in [*draft.choices("safe"), *draft.choices(*VISITS)]:
        if not _fulfilled(draft, carrying, choice):
            _visit_one(draft, choice)
    for literal in draft.demanded("visited-region"):
        region = literal.args[0]
        inside = any(all(_within(draft, spot, region) for spot in s.spots) for s in stops)
        if not draft.starts_at(literal) and not inside:
            draft.errand.areas.append(Area(region, draft.open_rows(draft.in_region(region))))


def _within(draft: Draft, spot: Spot, region: str) -> bool:
    """Return whether a spot, and every place it is reached from, lies in a region."""
    row = draft.region_row(region)
    return spot.region == row and bool((draft.road.region[list(spot.anchors)] == row).all())


def _fulfilled(draft: Draft, carrying: Carrying, choice: tuple[Literal, ...]) -> bool:
    """Return whether a demanded stop or the start fulfils one literal of a choice."""
    return any(
        literal in draft.branch.literals
        or draft.starts_at(literal)
        or (literal.predicate == "safe" and literal.args[0] in carrying.inspected)
        for literal in choice
    )


def _visit_one(draft: Draft, choice: tuple[Literal, ...]) -> None:
    """Add one stop for a choice, at any spot where one of its literals comes true."""
    found = [(x.args[0], s) for x in draft.not_denied(choice) for s in _spots_of(draft, x)]
    if not found:
        raise Impossible(f"nothing of {' or '.join(map(str, choice))} may be visited")
    action = "inspect" if choice[0].predicate == "safe" else "goto"
    draft.errand.add(Stop(action, tuple(t for t, _ in found), tuple(s for _, s in found)))


def _spots_of(draft: Draft, literal: Literal) -> list[Spot]:
    if literal.predicate == "visited-region":
        return draft.open_places(literal.args[0])
    try:
        return [draft.spot(literal.args[0])]
    except Impossible:
        return []


def explore(draft: Draft) -> None:
    """Go to places of each region to explore, chosen greedily, from which all its places are seen."""
    for literal in draft.demanded("explored-region"):
        inside = draft.in_region(literal.args[0])
        open_, view_m = draft.open_rows(inside), draft.robot.view_m
        places = cover(draft.road, open_, np.flatnonzero(inside), view_m)
        if not places:
            raise Impossible(f"not all of {literal.args[0]} can be seen from where a robot may go")
        for place in places:
            draft.errand.add(Stop("goto", literal.args, (draft.road.place(place),)))


def cover(road: Roadmap, stand: Sequence[int], look: Ints, view_m: float) -> list[int]:
    """Return few rows of ``stand`` such that each row of ``look`` is in view of one (greedy set cover).

    Empty where that is impossible, or where there is nothing to look at.
    """
    if len(stand) == 0 or len(look) == 0:
        return []
    at = np.asarray(stand)
    sees = sights(road.graph, road.layer, at, look, view_m)
    unseen, chosen = np.ones(len(look)), []
    while unseen.any():
        gain = sees @ unseen
        best = int(gain.argmax())
        if gain[best] == 0:
            return []
        unseen[sees.indices[sees.indptr[best] : sees.indptr[best + 1]]] = 0.0
        chosen.append(int(at[best]))
    return chosen
