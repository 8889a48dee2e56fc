"""Proof that there is no plan whatever the streams yield.

All values that streams have not yielded yet are one object, which stands for new ones, and each output may
be any known object as well. What can be derived when nothing is ever undone, and everything is different
from and equal to that object at will, includes all that any real plan can bring about: if the goal is not
among it, there is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

from commonground.planning.pddl.formula import OBJECT, Atom, is_variable
from commonground.planning.streams.database import Database, Objects, Rule
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.model import GOAL, ActionSchema, StreamModel
from commonground.planning.streams.normal_form import Literal, Pattern, Row, pattern

MOST_FACTS = 20_000
"""The proof is given up beyond."""


def is_impossible(knowledge: Knowledge) -> bool:
    """Return whether it is proven that there is no plan; False where there may be one."""
    if any(stream.spec.wild for stream in knowledge.model.streams):
        return False  # which may certify anything
    return _Reach(knowledge).goal_is_out_of_reach()


class _StopError(Exception):
    """The goal is reached, or there are more facts than are worth it."""


class _Reach:
    """All that could ever hold."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge, self.database = knowledge, Database()
        known = [n for n in range(len(knowledge.objects)) if knowledge.objects.known((n,))]
        self.values = [*known, len(knowledge.objects)]
        self.constants = knowledge.model.constants
        self.facts = set[tuple[str, Objects]]()
        self.most = MOST_FACTS + len(knowledge.real)
        for rows in knowledge.model.derived:
            head = Atom(rows.name, rows.parameters)
            for row in rows.rows:
                self._watch(row, rows.parameters, self._adding([head]))
        for action in knowledge.model.actions:
            self._watch_action(action)
        for stream in knowledge.model.streams:
            self._watch_stream(stream)
        for number in self.values:
            self._add(OBJECT, (number,))
        for fact in knowledge.real:
            self._add(*knowledge.facts.keys[fact])

    def goal_is_out_of_reach(self) -> bool:
        """Derive all there is."""
        try:
            self.database.propagate()
        except _StopError:
            return False
        return True

    def _add(self, predicate: str, args: Objects) -> None:
        if (predicate, args) in self.facts:
            return
        self.facts.add((predicate, args))
        if len(self.facts) > self.most:
            raise _StopError
        self.database.add(predicate, args)

    def _watch(
        self, row: Row, parameters: Sequence[str], fire: Callable[[Pattern, Objects], None]
    ) -> None:
        made = pattern(row, parameters, self.constants)
        if made is None:
            return
        rule = Rule(len(made.variables), made.positive, (), lambda objects: fire(made, objects))
        self.database.watch(rule)

    def _adding(self, atoms: Iterable[Atom]) -> Callable[[Pattern, Objects], None]:
        def fire(made: Pattern, objects: Objects) -> None:
            for atom in atoms:
                self._add(atom.predicate, self._args(atom.args, made, objects))

        return fire

    def _args(self, terms: Sequence[str], made: Pattern, objects: Objects) -> Objects:
        numbers = (made.terms[t] if is_variable(t) else -1 - self.constants[t] for t in terms)
        return tuple(objects[n] if n >= 0 else -1 - n for n in numbers)

    def _watch_action(self, action: ActionSchema) -> None:
        for row in action.rows:
            if action.name == GOAL:
                self._watch(row, (), self._reach_goal)
            for effect in action.effects:
                for condition in effect.rows if effect.adds else ():
                    variables = (*action.parameters, *effect.variables)
                    self._watch((*row, *condition), variables, self._adding([effect.atom]))

    def _reach_goal(self, _made: Pattern, _objects: Objects) -> None:
        raise _StopError

    def _watch_stream(self, stream: StreamModel) -> None:
        spec = stream.spec

        def fire(made: Pattern, objects: Objects) -> None:
            inputs = self._args(spec.inputs, made, objects)
            if self.knowledge.is_enumerated(stream, inputs):
                return  # all it certifies is real
            for outputs in itertools.product(self.values, repeat=len(spec.outputs)):
                named = dict(zip((*spec.inputs, *spec.outputs), (*inputs, *outputs), strict=True))
                for atom in spec.certified:
                    terms = (named[t] if is_variable(t) else self.constants[t] for t in atom.args)
                    self._add(atom.predicate, tuple(terms))

        self._watch(tuple(Literal(atom, True) for atom in spec.domain), spec.inputs, fire)
