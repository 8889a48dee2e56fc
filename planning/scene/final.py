"""The last stop of an errand: where the robot has to be in the end, or must not be."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from commonground.planning.scene.carrying import Carrying
from commonground.planning.scene.drafting import Draft
from commonground.planning.scene.errand import Area, Impossible, Stop, needed
from commonground.planning.scene.goal import Literal
from commonground.planning.scene.roadmap import Spot
from commonground.planning.scene.vocabulary import FINALS

FEW = 8
"""More places than this to choose from are thinned out once distances are known."""


def finish(draft: Draft, carrying: Carrying) -> None:
    """Add the stop that has to be the last one, behind all others."""
    wanted = draft.demanded(*FINALS)
    things = [x.args[0] for x in draft.demanded("at-object")]
    if len(things) > 1:
        raise Impossible(f"{draft.robot.name} cannot be at {' and '.join(things)} at once")
    alternatives = [_spots_of(draft, carrying, (literal,)) for literal in wanted]
    for choice in draft.choices(*FINALS):
        if not any(literal in wanted for literal in choice):
            alternatives.append(_spots_of(draft, carrying, draft.not_denied(choice)))
    if alternatives:
        _end_at(draft, wanted, alternatives)
    elif draft.denied(*FINALS):
        _end_outside(draft)
    draft.errand.put_last_behind()


def _spots_of(draft: Draft, carrying: Carrying, literals: Iterable[Literal]) -> list[Spot]:
    """Return the spots at which one of some literals of the end is true."""
    return [spot for x in literals for spot in _spots_of_one(draft, carrying, x)]


def _spots_of_one(draft: Draft, carrying: Carrying, literal: Literal) -> list[Spot]:
    """Return the spots at which a literal of the end is true."""
    target = literal.args[0]
    if literal.predicate == "in-region":
        return draft.open_places(target)
    return [draft.spot(carrying.placed.get(target) or target)]


def _end_at(draft: Draft, wanted: list[Literal], alternatives: list[list[Spot]]) -> None:
    """End at a spot that is among each of the alternatives; nothing to add where the robot is there."""
    final = _common(draft, alternatives)
    if not final:
        listed = " and ".join(map(str, wanted))
        why = "at once" if len(wanted) > 1 else "and end where the rest of the goal lets it"
        raise Impossible(f"{draft.robot.name} cannot be at {listed} {why}")
    errand = draft.errand
    idle = not errand.stops and not errand.areas
    if idle and wanted and all(map(draft.starts_at, wanted)):
        return
    if len(final) > FEW and all(s.is_place for s in final):
        target = wanted[0].args[0] if wanted else final[0].symbol
        errand.areas.append(Area(target, tuple(s.anchors[0] for s in final), last=True))
    else:
        errand.add(Stop("goto", tuple(s.symbol for s in final), tuple(final), last=True))


def _common(draft: Draft, alternatives: list[list[Spot]]) -> list[Spot]:
    """Return the spots, of all alternatives, at places that every alternative has."""
    chosen = alternatives[0]
    if len(alternatives) > 1 or draft.denied(*FINALS):
        # where the robot stands beside an object matters now, so each place it is reached from is a choice
        split = [_one_by_one(found) for found in alternatives]
        common = set.intersection(*({s.anchors[0] for s in found} for found in split))
        ends = (s for s in itertools.chain(*split) if s.anchors[0] in common)
        chosen = [s for s in ends if _may_end(draft, s)]
    beside = [s for s in chosen if not s.is_place]  # says more than the place beneath an object
    return list(dict.fromkeys(beside or chosen))


def _one_by_one(spots: Iterable[Spot]) -> list[Spot]:
    """Return each spot once for each place it can be reached from."""
    return [one for spot in spots for one in spot.one_by_one()]


def _end_outside(draft: Draft) -> None:
    """End anywhere but where the goal denies to be: at a stop, or at the nearest other place."""
    road = draft.road
    rows = tuple(r for r in draft.open_rows(road.usable) if _may_end(draft, road.place(r)))
    ends = _one_by_one(needed(draft.errand.stops))
    stops = tuple(s for s in ends if _may_end(draft, s))
    if not rows and not stops:
        raise Impossible(f"there is no place left where {draft.robot.name} may end")
    draft.errand.areas.append(Area("", rows, last=True, spots=stops))


def _may_end(draft: Draft, spot: Spot) -> bool:
    """Return whether no denied literal would be true with the robot at this spot at last."""
    return not any(_true_at(draft, literal, spot) for literal in draft.denied(*FINALS))


def _true_at(draft: Draft, literal: Literal, spot: Spot) -> bool:
    """Return whether a robot that ends at a spot is in a region, or at a place or an object."""
    target, place = literal.args[0], spot.anchors[0]
    if literal.predicate == "in-region":
        return int(draft.road.region[place]) == draft.region_row(target)
    if literal.predicate == "at-place" and place == draft.road.row(target):
        return True
    return spot.symbol == target or spot.symbol in _put_at(draft, target)


def _put_at(draft: Draft, thing: str) -> set[str]:
    """Return the places an object may be put at."""
    places = (s for s in draft.errand.stops if s.action == "place" and s.item == thing)
    return {target for stop in places for target in stop.targets}
