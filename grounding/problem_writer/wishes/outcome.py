"""All deeds as one wish: what holds in the end and before that, what is spared, who leaves what alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonground.grounding.english.parts import in_words
from commonground.grounding.problem_writer.duties import Duty, barred
from commonground.grounding.problem_writer.goals import EMPTY, Wish
from commonground.grounding.problem_writer.wishes.clauses import Deed
from commonground.grounding.problem_writer.wishes.conditions import as_now
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.order import steps_of
from commonground.grounding.problem_writer.wishes.things import Condition, together
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And
from commonground.planning.pddl.strata import literals


@dataclass(frozen=True, slots=True)
class Done:
    """A deed in its place: who does it, and whether it waits for those before."""

    deed: Deed
    robots: tuple[str, ...]
    waits: bool


def wish_of(done: Sequence[Done], home: Home, text: str) -> Wish:
    """Return the wish of deeds; what was only taken up or looked at has to be handled by another."""
    for one in done:
        _check_handled(one, done)
    deeds = [(one.deed.conditions, one.waits) for one in done if one.deed.conditions]
    if any(one.deed.clause.sense == "put back" for one in done):
        deeds.append((_put_back(done, home), False))
    *before, goal = steps_of(deeds, home)
    if goal == And() and not before:
        raise Unclear(f"What should be true in the end: '{text.strip()}'?")
    duties = [Duty(one.robots, together(one.deed.conditions)) for one in done]
    spared = tuple(fact for one in done for fact in one.deed.spared)
    vague = any(one.deed.vague for one in done)
    return Wish(goal, tuple(before), spared, barred(duties, home.graph), vague)


def _check_handled(one: Done, done: Sequence[Done]) -> None:
    """Raise `Unclear` where nothing comes of taking something up."""
    if not one.deed.waits or one.deed.conditions:
        return
    others = [other.deed for other in done if other is not one and not other.deed.waits]
    if not any(one.deed.handled & deed.handled for deed in others):
        said = in_words(one.deed.clause)
        raise Unclear(f"Where should it go, or what should be true of it: '{said}'?")


def _put_back(done: Sequence[Done], home: Home) -> list[Condition]:
    """Return that whatever nobody asked to be anywhere else is where it is now."""
    asked = set(home.things(word for one in done for word in one.deed.handled))
    conditions = (condition for one in done for condition in one.deed.conditions)
    for atom, _ in (each for condition in conditions for each in literals(condition.formula)):
        if atom.args[-1] == EMPTY:
            asked |= set(home.contents(home.things(atom.args[:1])))
    return as_now([name for name in home.there if name not in asked], home)
