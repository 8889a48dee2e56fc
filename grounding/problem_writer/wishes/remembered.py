"""The very things that pieces of a command chose, for those that only go back to them by a pronoun."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.planning.pddl.substitution import substitute


def chosen_by(wish: Wish, named: Sequence[Named], home: Home) -> dict[Named, str]:
    """Return the one thing that a wish is about, for each noun of which there are several."""
    words = {word for goal in (wish.goal, *wish.before) for word in words_of(goal)}
    found = {}
    for one in named:
        mine = {word for word in words if home.type_of(word) in one.types}
        if len(mine) == 1 and mine <= home.there.keys():
            found[one] = mine.pop()
    return found


def of_the_same(wish: Wish, again: Iterable[str], named: Sequence[Named], home: Home) -> Wish:
    """Return a wish about things that were chosen before, where it only names their types by a pronoun."""
    own = {kind for one in named for kind in one.types}
    names = {kind: name for name in again if (kind := home.type_of(name)) not in own}
    if not names:
        return wish
    before = tuple(substitute(goal, names) for goal in wish.before)
    return replace(wish, goal=substitute(wish.goal, names), before=before)
