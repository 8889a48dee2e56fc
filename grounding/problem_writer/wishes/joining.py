"""What a wish holds besides: where things stand, get warm or stay shut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from commonground.grounding.knowledge.facts import FALSE
from commonground.grounding.problem_writer.goals import Wish, contains, in_state, words_of
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import MADE
from commonground.grounding.problem_writer.wishes.where import WARM
from commonground.planning.pddl import Atom, Formula, conjunction, disjunction
from commonground.planning.pddl.logic import conjuncts
from commonground.planning.pddl.strata import literals

_RESTING = {"OFF": ("on", FALSE), "CLOSED": ("open", FALSE)}
"""States in which things are left that nobody uses."""


def stood(wish: Wish, accounts: Accounts) -> Wish:
    """Return a wish in which what is put on a plate on the table, or cooked in a pan, ends up there."""
    also = [*_on_trays(wish, accounts), *_worked_on(wish, accounts)]
    also += _as_described(wish, accounts)
    return replace(wish, goal=conjunction([*conjuncts(wish.goal), *also])) if also else wish


def _on_trays(wish: Wish, accounts: Accounts) -> Iterator[Formula]:
    """Yield where what holds something is to stand."""
    home, wanted = accounts.home, _places(wish.goal)
    for tray, spot in accounts.stands():
        places = sorted(home.present(spot.types))
        for holder in dict.fromkeys(h for h, _ in wanted if home.type_of(h) in tray.types):
            if places and holder not in [item for _, item in wanted]:
                yield disjunction([contains(place, holder) for place in places])


def _worked_on(wish: Wish, accounts: Accounts) -> Iterator[Formula]:
    """Yield where things are that get warm."""
    home, placed = accounts.home, [item for _, item in _places(wish.goal)]
    warm = {a.args[0] for a, so in literals(wish.goal) if so and a.args[-1] in WARM}
    for one, place in accounts.worked():
        for thing in sorted(warm):
            kind = next(iter(home.present(sorted(place.types))), "")
            meant = home.type_of(thing) in one.types and thing not in placed
            if kind and meant and home.kinds.takes(kind, home.type_of(thing)):
                yield contains(kind, thing)


def _as_described(wish: Wish, accounts: Accounts) -> Iterator[Formula]:
    """Yield that what is called sliced or cooked gets so, where none is yet."""
    type_of, moved = accounts.home.type_of, [item for _, item in _places(wish.goal)]
    for _, one, state in accounts.described():
        made = state.goal in MADE and (
            state.goal != "SLICED" or accounts.home.usually(one.types, "sliceable")
        )
        for item in dict.fromkeys(moved) if made else ():
            if type_of(item) in one.types:
                yield in_state(item, state.goal)


def restored(wish: Wish, home: Home) -> Wish:
    """Return a wish in which all of a kind that is to be shut stay so: a robot may open any of them."""
    parts = conjuncts(wish.goal)
    named = {word for part in parts for word in words_of(part)}
    shut = [
        in_state(name, part.args[1])
        for part in parts
        if isinstance(part, Atom) and part.predicate == "state" and part.args[1] in _RESTING
        for name in home.things([part.args[0]])
        if name not in named and home.is_like(name, *_RESTING[part.args[1]])
    ]
    return replace(wish, goal=conjunction([*parts, *shut])) if len(shut) > 1 else wish


def _places(goal: Formula) -> list[tuple[str, str]]:
    """Return where a goal wants which things to be."""
    return [place for each in conjuncts(goal) if (place := _place(each)) is not None]


def _place(each: Formula) -> tuple[str, str] | None:
    is_place = isinstance(each, Atom) and each.predicate == "contains"
    return (each.args[0], each.args[1]) if isinstance(each, Atom) and is_place else None
