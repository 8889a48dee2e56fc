"""Things spoken of, and conditions on them: one way to meet a condition for each choice that is left open."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, conjunction, disjunction

MOST_CHOICES = 60
Make = Callable[[str], Formula]


@dataclass(frozen=True, slots=True, eq=False)
class Things:
    """Options, each of names or types that belong together; often there is only one option.

    It has an identity: what is said of it later is said of the option that was chosen.
    """

    options: tuple[tuple[str, ...], ...]
    said: str = ""
    pieces: bool = False
    """What is cut off of it."""
    wanted: tuple[str, ...] = ()
    """States it is to have by its description: ``the sliced tomato``."""
    holding: tuple[Things, ...] = ()
    """What is to be in it by its description: ``a plate with an egg``."""
    each: bool = False
    """One by one."""

    @property
    def words(self) -> tuple[str, ...]:
        """Every name and type in it, once."""
        return tuple(dict.fromkeys(itertools.chain.from_iterable(self.options)))


@dataclass(frozen=True, slots=True)
class Condition:
    """What shall hold: a goal for each option of the things that it is about."""

    goals: tuple[Formula, ...]
    about: Things | None = None

    @property
    def formula(self) -> Formula:
        """Return the goal with the choice left open."""
        return disjunction(self.goals)


def each_of(things: Things, make: Make) -> Condition:
    """Return a condition on all things of the option that is chosen."""
    goals = tuple(conjunction([make(word) for word in option]) for option in things.options)
    return Condition(goals, things)


def whole(goal: Formula) -> Condition:
    """Return a condition without a choice that matters elsewhere."""
    return Condition((goal,))


def together(conditions: Sequence[Condition]) -> Formula:
    """Return that all conditions hold, those on the same things for the same option."""
    open_: dict[int, list[Condition]] = {}
    closed: list[Formula] = []
    for condition in conditions:
        if len(condition.goals) > 1:
            open_.setdefault(id(condition.about), []).append(condition)
        else:
            closed.append(condition.goals[0])
    chosen = [
        disjunction(
            [conjunction(list(goals)) for goals in zip(*(c.goals for c in same), strict=True)]
        )
        for same in open_.values()
    ]
    return conjunction([*closed, *chosen])


def some_of(count: int, pool: Sequence[str], said: str) -> tuple[tuple[str, ...], ...]:
    """Return the options of choosing so many."""
    if len(pool) < count:
        raise Unclear(
            f"There are only {len(pool)} of '{said}', not {count}: {', '.join(pool)}.", pool
        )
    return tuple(itertools.islice(itertools.combinations(pool, count), MOST_CHOICES))
