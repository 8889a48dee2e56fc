"""The wishes of the pieces of a command as one wish."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.order import steps_of
from commonground.grounding.problem_writer.wishes.things import Condition, whole
from commonground.planning.pddl import Atom, Formula
from commonground.planning.pddl.logic import conjuncts


def joined(found: Sequence[tuple[Wish, bool]], home: Home) -> Wish:
    """Return the wishes of pieces as one, each with whether it waits for those before.

    What is put into something and later elsewhere is not to be there in the end.
    """
    deeds: list[tuple[list[Condition], bool]] = []
    before: list[Formula] = []
    for at, (wish, waits) in enumerate(found):
        gone = _gone(wish, [one for one, _ in found[at + 1 :]])
        before += [*wish.before, *([wish.goal] if gone else [])]
        parts = [whole(each) for each in conjuncts(wish.goal) if _place(each) not in gone]
        deeds.append((parts, waits))
    *steps, goal = steps_of(deeds, home)
    spared = tuple(fact for wish, _ in found for fact in wish.spared)
    barred = tuple(fact for wish, _ in found for fact in wish.barred)
    vague = any(wish.vague for wish, _ in found)
    return Wish(goal, tuple(dict.fromkeys((*before, *steps))), spared, barred, vague)


def _gone(wish: Wish, others: Sequence[Wish]) -> set[tuple[str, str] | None]:
    """Return the places of things that others want elsewhere."""
    later = {item: place for one in others for place, item in _places(one)}
    return {(place, item) for place, item in _places(wish) if later.get(item, place) != place}


def _places(wish: Wish) -> list[tuple[str, str]]:
    """Return where a wish wants which things to be."""
    return [place for each in conjuncts(wish.goal) if (place := _place(each)) is not None]


def _place(each: Formula) -> tuple[str, str] | None:
    is_place = isinstance(each, Atom) and each.predicate == "contains"
    return (each.args[0], each.args[1]) if isinstance(each, Atom) and is_place else None
