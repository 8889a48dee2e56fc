"""From one alternative of a goal to an errand: which stops make it true, and in which order."""

from __future__ import annotations

import itertools

import numpy as np

from commonground.arrays import Bools, Ints
from commonground.planning.scene.branch import Branch
from commonground.planning.scene.carrying import Carrying
from commonground.planning.scene.drafting import Draft
from commonground.planning.scene.errand import Area, Errand, Impossible, Stop
from commonground.planning.scene.final import finish
from commonground.planning.scene.goal import Literal
from commonground.planning.scene.roadmap import Roadmap, Spot
from commonground.planning.scene.sight import sights
from commonground.planning.scene.vocabulary import VISITS, VOCABULARY, done_by
from commonground.robots import Robot


def build_errand(branch: Branch, robot: Robot, road: Roadmap, start: Spot) -> Errand:
    """Return the errand of a branch; with a ``reason`` if it is impossible before any route is sought."""
    errand = Errand(np.zeros(len(road.positions), bool))
    draft = Draft(branch, robot, road, start, errand)
    carrying = Carrying(draft)
    try:
        refuse_contradictions(draft)
        forbid_places(draft)
        for literal in draft.demanded(*done_by()):
            carrying.work(VOCABULARY[literal.predicate].deed, literal.args[0])
        carrying.bring()
        carrying.take()
        visit(draft, carrying)
        explore(draft)
        finish(draft, carrying)
    except Impossible as impossible:
        errand.reason = str(impossible)
    return errand


# ---- what an errand may not do ----


def refuse_contradictions(draft: Draft) -> None:
    """Raise Impossible where the demanded literals exclude each other or are beyond the robot."""
    both = draft.branch.contradictory
    if both is not None:
        raise Impossible(f"the goal asks for {both} and for its opposite")
    _refuse_incapable(draft)
    _refuse_two_at_once(draft)


def _refuse_incapable(draft: Draft) -> None:
    literals = [*draft.demanded(*VOCABULARY), *(x for c in draft.branch.choices for x in c)]
    for literal in literals:
        if literal.predicate == "object-in-place" and _lies_there(draft, *literal.args):
            continue
        for need in VOCABULARY[literal.predicate].needs:
            if not draft.robot.can(need):
                raise Impossible(f"{draft.robot.name} cannot {need}, which {literal} needs")


def _lies_there(draft: Draft, thing: str, place: str) -> bool:
    """Return whether a thing is where it has to be already."""
    return draft.road.symbol(draft.road.host(thing)) == place


def _refuse_two_at_once(draft: Draft) -> None:
    """Refuse two things in one gripper, and one thing in two places or in a place and the gripper."""
    held = {x.args[0] for x in draft.demanded("holding")}
    if len(held) > 1:
        raise Impossible(f"one gripper cannot hold {' and '.join(sorted(held))} at once")
    places: dict[str, list[str]] = {}
    for literal in draft.demanded("object-in-place"):
        thing, place = literal.args
        if thing in held:
            raise Impossible(f"{thing} cannot be held and lie in {place} at once")
        places.setdefault(thing, []).append(place)
    for thing, found in places.items():
        if len(found) > 1:
            raise Impossible(f"{thing} cannot be in {' and '.join(found)} at once")


def forbid_places(draft: Draft) -> None:
    """Mark the places of avoided regions, and avoided places; the robot may not start in one."""
    forbidden = draft.errand.forbidden
    for literal in (*draft.denied("visited-region"), *draft.denied("visited-place")):
        if draft.starts_at(literal):
            where = f"{draft.robot.name} stands in {literal.args[0]}"
            raise Impossible(f"{where}, which is to be avoided")
        if literal.predicate == "visited-region":
            forbidden |= draft.in_region(literal.args[0])
        else:
            forbidden[draft.road.row(literal.args[0])] = True


# ---- places, objects and regions to be visited or seen ----


def visit(draft: Draft, carrying: Carrying) -> None:
    """Go where nothing else leads already."""
    stops = draft.errand.stops
    seen = {s.targets[0] for s in stops if len(s.targets) == 1}
    for literal in draft.demanded("visited-object", "visited-place"):
        target = literal.args[0]
        if target not in seen and not draft.starts_at(literal):
            seen.add(target)
            draft.errand.add(Stop("goto", literal.args, (draft.spot(target),)))
    choices = itertools.chain(*map(draft.choices, done_by()), draft.choices(*VISITS))
    for choice in choices:
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
        or (VOCABULARY[literal.predicate].deed, literal.args[0]) in carrying.worked
        for literal in choice
    )


def _visit_one(draft: Draft, choice: tuple[Literal, ...]) -> None:
    """Add one stop for a choice, at any spot where one of its literals comes true."""
    found = [(x.args[0], s) for x in draft.not_denied(choice) for s in _spots_of(draft, x)]
    if not found:
        raise Impossible(f"nothing of {' or '.join(map(str, choice))} may be visited")
    action = VOCABULARY[choice[0].predicate].deed or "goto"
    draft.errand.add(Stop(action, tuple(t for t, _ in found), tuple(s for _, s in found)))


def _spots_of(draft: Draft, literal: Literal) -> list[Spot]:
    if literal.predicate == "visited-region":
        return draft.open_places(literal.args[0])
    try:
        return [draft.spot(literal.args[0])]
    except Impossible:
        return []


def explore(draft: Draft) -> None:
    """Go where all places of each region to explore are seen."""
    for literal in draft.demanded("explored-region"):
        found = lookouts(draft.road, draft.robot, literal.args[0], draft.errand.forbidden)
        if not found:
            raise Impossible(f"not all of {literal.args[0]} can be seen from where a robot may go")
        for rows in found:
            spots, least = (tuple(map(draft.road.place, r.tolist())) for r in rows)
            draft.errand.add(Stop("goto", literal.args * len(spots), spots, least=least))


MOST_ALIKE = 4
"""So many places from which the same is seen are chosen among; more of them take longer than they save."""


def lookouts(road: Roadmap, robot: Robot, region: str, forbidden: Bools) -> list[tuple[Ints, Ints]]:
    """Return places to look from, one of each row is enough, and of which every plan comes to one.

    They are chosen greedily, each time where most of the region is new; other places from which the same is
    seen serve as well. Every plan comes to where that is seen which is seen from the fewest places.
    """
    inside = road.region == road.graph.regions.row(region)
    stand, look = np.flatnonzero(~forbidden & road.usable), np.flatnonzero(inside)
    table = sights(road.graph, road.layer, stand, look, robot.view_m)
    near = np.diff(table.indptr) > 0
    stand, sees = stand[near], table[near].toarray() > 0
    own, unseen, found = inside[stand], np.ones(len(look), bool), []
    while unseen.any():
        gain = (sees[own] & unseen).sum(axis=1)
        if not gain.any():
            return []
        fresh = sees[own][gain.argmax()] & unseen
        unseen &= ~fresh
        hardest = np.flatnonzero(fresh)[sees[:, fresh].sum(axis=0).argmin()]
        alike = np.flatnonzero(own & sees[:, fresh].all(axis=1))
        best = np.argsort(-sees[alike].sum(axis=1), kind="stable")[:MOST_ALIKE]
        found.append((stand[alike[best]], stand[sees[:, hardest]]))
    return found
