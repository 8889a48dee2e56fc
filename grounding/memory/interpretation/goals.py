"""Events that are wished for → goal formulas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from commonground.grounding.memory.interpretation.events import (
    Become,
    Drain,
    Event,
    Fill,
    Give,
    Go,
    Gone,
    Have,
    MoveRobot,
    Place,
    Swap,
    Take,
    Tune,
)
from commonground.grounding.memory.interpretation.reading import Taken
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.names import Names
from commonground.planning.pddl import And, Atom, Exists, Formula, Not, Typed
from commonground.planning.pddl.logic import conjunction


@dataclass(frozen=True, slots=True)
class Wanted(Taken):
    """What a task was understood to ask for; beside a goal stands what no plan sees to."""

    goal: Formula | None = None


class GoalWriter:
    """Says in the domain's predicates what would be so after some events."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.meanings = names.meanings

    def goal(self, events: Iterable[Event]) -> Formula:
        """Return the conjunction of what the events bring about; later ones override earlier ones."""
        literals: dict[tuple[str, str], list[Formula]] = {}
        for event in events:
            for key, formulas in self._literals(event):
                literals[key] = formulas
        parts = [formula for formulas in literals.values() for formula in formulas]
        return conjunction(list(dict.fromkeys(parts)))

    def drink(self, who: str, liquid: str) -> Formula:
        """Return that somebody is to have any vessel with a liquid."""
        drinks = self.meanings.file.drinks
        if drinks is None or drinks.holder not in self.meanings.relations:
            raise Unclear("no drinks are served here")
        kinds = self.meanings.vocabulary.signatures[drinks.contents].arguments[0]
        held = Atom(drinks.holder, ("?v", who))
        return Exists((Typed("?v", kinds),), And((held, Atom(drinks.contents, ("?v", liquid)))))

    def _literals(self, event: Event) -> list[tuple[tuple[str, str], list[Formula]]]:
        if isinstance(event, Place):
            return [(("at", t), [self._atom("place", t, event.place)]) for t in event.things]
        if isinstance(event, Have | Take):
            return [(("at", t), [self._atom("holding", t, event.holder)]) for t in event.things]
        if isinstance(event, Give):
            return [(("at", t), [self._atom("holding", t, event.taker)]) for t in event.things]
        if isinstance(event, Become):
            atom = Atom(event.relation, (event.thing,))
            return [((event.relation, event.thing), [atom if event.value else Not(atom)])]
        if isinstance(event, Tune | Fill | Drain):
            return self._contents(event)
        if isinstance(event, MoveRobot):
            return [(("at", event.robot), [self._atom("whereabouts", event.robot, event.room)])]
        return self._journey(event)

    def _contents(self, event: Tune | Fill | Drain) -> list[tuple[tuple[str, str], list[Formula]]]:
        if isinstance(event, Tune):
            power = self.meanings.state_relation("power", self.names.kind(event.screen))
            on: list[Formula] = [Atom(power, (event.screen,))] if power is not None else []
            tuned = self._atom("channel", event.screen, event.channel)
            return [((power or "", event.screen), on), (("channel", event.screen), [tuned])]
        if isinstance(event, Fill):
            return [(("in", event.vessel), [self._atom("contents", event.vessel, event.liquid)])]
        relation = self.meanings.state_relation("contents", self.names.kind(event.vessel)) or ""
        atom = Atom(relation, (event.vessel,))
        inverted = self.meanings.relations[relation].inverted
        return [(("in", event.vessel), [atom if inverted else Not(atom)])]

    def _journey(self, event: Event) -> list[tuple[tuple[str, str], list[Formula]]]:
        if isinstance(event, Go) and self.names.is_robot(event.who):
            at = [(("at", event.who), [self._atom("whereabouts", event.who, event.room)])]
            return at + [(("at", t), [self._atom("holding", t, event.who)]) for t in event.things]
        if isinstance(event, Swap):
            raise Unclear(
                "exchanging two things is not something to plan for; say where each should go"
            )
        if isinstance(event, Gone):
            raise Unclear("where should it go?")
        raise Unclear("people go where they like; only things and the robot can be moved")

    def _atom(self, means: str, subject: str, value: str) -> Formula:
        relation = self.names.relation(means, subject, value)
        if relation is None:
            one, other = self.names.things[subject].name, self.names.things[value].name
            raise Unclear(f"'{one}' cannot be brought to '{other}' in this domain")
        return Atom(relation, (subject, value))
