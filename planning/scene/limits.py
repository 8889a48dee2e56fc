"""What an errand may not do: contradictions, missing capabilities, and places that are to be avoided."""

from __future__ import annotations

from commonground.planning.scene.drafting import Draft
from commonground.planning.scene.errand import Impossible
from commonground.planning.scene.vocabulary import VOCABULARY


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
