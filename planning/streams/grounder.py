"""Ground actions and derived predicates, extended as facts arrive and never built anew.

The database holds every fact that could ever hold: initial, certified or made up by streams, and the
effects of actions. An action is ground as soon as its positive conditions are in it. Derived predicates
are ground from their conditions up where they are used positively, and for the arguments that are asked
for where they are used negatively.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from commonground.planning.pddl.formula import OBJECT, Fluent, is_variable
from commonground.planning.pddl.strata import closed
from commonground.planning.streams.database import Database, Objects, Rule
from commonground.planning.streams.model import ActionSchema, EffectSchema, Model
from commonground.planning.streams.normal_form import DerivedRows, Pattern, Row, pattern

FactKey = tuple[str, Objects]


@dataclass(frozen=True, slots=True)
class GroundLiterals:
    """Facts that must hold and must not, by what can change them: nothing, actions, or axioms."""

    static: tuple[int, ...] = ()
    not_static: tuple[int, ...] = ()
    fluent: tuple[int, ...] = ()
    not_fluent: tuple[int, ...] = ()
    derived: tuple[int, ...] = ()
    not_derived: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GroundEffect:
    """A fact that becomes true or false where a condition holds."""

    fact: int
    adds: bool
    condition: GroundLiterals


@dataclass(slots=True)
class GroundAction:
    """An action with its objects."""

    schema: ActionSchema
    args: Objects
    condition: GroundLiterals
    cost_constant: float
    cost_terms: tuple[tuple[float, FactKey], ...]
    effects: list[GroundEffect] = field(default_factory=list)


class Facts:
    """Numbers for ground facts."""

    def __init__(self) -> None:
        self.keys: list[FactKey] = []
        self._numbers: dict[FactKey, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def number(self, predicate: str, args: Objects) -> int:
        """Return the number of a fact."""
        key = (predicate, args)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self.keys)
            self.keys.append(key)
        return known

    def known(self, key: FactKey) -> int | None:
        """Return the number of a fact that has one."""
        return self._numbers.get(key)


class Grounder:
    """Instantiates a model's actions and derived predicates from the facts of a database."""

    def __init__(self, model: Model, database: Database, facts: Facts) -> None:
        self.model, self.database, self.facts = model, database, facts
        self.actions: list[GroundAction] = []
        self.bodies: dict[int, list[GroundLiterals]] = {}
        """The ways in which each derived fact can hold."""
        self.derived = {rows.name for rows in model.derived}
        self.circles = _circles(model.derived)
        """The recursive derived predicates, each with those it is recursive with."""
        self._instances: dict[tuple[int, int, Objects], GroundAction] = {}
        self._known_bodies: dict[int, set[GroundLiterals]] = {}
        positive, negative = self._uses()
        for rows in model.derived:
            if rows.name in positive:
                self._watch_derived(rows, ())
            if rows.name in negative:
                self._watch_derived(rows, ((_asked(rows.name), rows.parameters),))
        for number, schema in enumerate(model.actions):
            for index, row in enumerate(schema.rows):
                self._watch_action(number, schema, index, row)

    def _uses(self) -> tuple[set[str], set[str]]:
        """Return the derived predicates used positively and negatively."""
        rows = [row for schema in self.model.actions for row in schema.rows]
        rows += [row for s in self.model.actions for e in s.effects for row in e.rows]
        rows += [row for derived in self.model.derived for row in derived.rows]
        found: tuple[set[str], set[str]] = (set(), set())
        for row in rows:
            for literal in row:
                if literal.atom.predicate in self.derived:
                    found[0 if literal.positive else 1].add(literal.atom.predicate)
        return found

    # ---- derived predicates -------------------------------------------------------------------

    def _watch_derived(
        self, rows: DerivedRows, asked: Sequence[tuple[str, tuple[str, ...]]]
    ) -> None:
        for row in rows.rows:
            made = pattern(row, rows.parameters, self.model.constants)
            if made is None:
                continue
            head = tuple(made.terms[name] for name in rows.parameters)
            extra = tuple((predicate, head) for predicate, _ in asked)
            conditions = (*extra, *_needed(made, {t for _, terms in extra for t in terms}))

            def fire(objects: Objects, made: Pattern = made, head: tuple[int, ...] = head) -> None:
                self._add_body(rows.name, _ground(head, objects), self._literals(made, objects))

            self.database.watch(Rule(len(made.variables), conditions, made.distinct, fire))

    def _add_body(self, name: str, args: Objects, body: GroundLiterals) -> None:
        head = self.facts.number(name, args)
        known = self._known_bodies.setdefault(head, set())
        if body not in known:
            known.add(body)
            self.bodies.setdefault(head, []).append(body)
            self.database.add(name, args)

    # ---- actions ------------------------------------------------------------------------------

    def _watch_action(self, number: int, schema: ActionSchema, index: int, row: Row) -> None:
        made = pattern(row, schema.parameters, self.model.constants)
        if made is None:
            return
        plain = [effect for effect in schema.effects if not _has_own_variables(effect, made)]

        def fire(objects: Objects) -> None:
            action = self._instance(number, index, schema, made, objects)
            for effect in plain:
                self._add_plain_effect(action, effect, made, objects)

        self.database.watch(Rule(len(made.variables), made.positive, made.distinct, fire))
        for effect in schema.effects:
            if effect not in plain:
                for condition in effect.rows:
                    self._watch_effect(number, schema, index, row, made, effect, condition)

    def _instance(
        self, number: int, index: int, schema: ActionSchema, made: Pattern, objects: Objects
    ) -> GroundAction:
        key = (number, index, objects)
        known = self._instances.get(key)
        if known is None:
            args = tuple(_value(made.terms[name], objects) for name in schema.parameters)
            terms = tuple(
                (factor, self._function(f, made, objects)) for factor, f in schema.cost.terms
            )
            literals = self._literals(made, objects)
            known = GroundAction(schema, args, literals, schema.cost.constant, terms)
            self._instances[key] = known
            self.actions.append(known)
        return known

    def _function(self, fluent: Fluent, made: Pattern, objects: Objects) -> FactKey:
        return fluent.function, self._args(fluent.args, made, objects)

    def _args(self, terms: Sequence[str], made: Pattern, objects: Objects) -> Objects:
        constants = self.model.constants
        return tuple(
            _value(made.terms[term], objects) if is_variable(term) else constants[term]
            for term in terms
        )

    def _add_plain_effect(
        self, action: GroundAction, effect: EffectSchema, made: Pattern, objects: Objects
    ) -> None:
        """Add an effect whose condition has no variables of its own."""
        args = self._args(effect.atom.args, made, objects)
        for row in effect.rows:
            condition = self._row_literals(row, made, objects)
            if condition is not None:
                self._add_effect(action, effect, args, condition)

    def _row_literals(self, row: Row, made: Pattern, objects: Objects) -> GroundLiterals | None:
        positive, negative = [], []
        for literal in row:
            args = self._args(literal.atom.args, made, objects)
            if literal.atom.predicate == "=":
                if (args[0] == args[1]) != literal.positive:
                    return None
            elif literal.positive:
                positive.append(self.facts.number(literal.atom.predicate, args))
            else:
                negative.append(self._asked_fact(literal.atom.predicate, args))
        return self._sorted(positive, negative)

    def _watch_effect(
        self,
        number: int,
        schema: ActionSchema,
        index: int,
        row: Row,
        base: Pattern,
        effect: EffectSchema,
        condition: Row,
    ) -> None:
        """Watch for the ways in which a quantified effect applies to an instance of its action."""
        joined = pattern(
            (*row, *condition), (*base.variables, *effect.variables), self.model.constants
        )
        if joined is None:
            return

        def fire(objects: Objects) -> None:
            whole = tuple(_value(joined.terms[name], objects) for name in base.variables)
            action = self._instance(number, index, schema, base, whole)
            literals = self._row_literals(condition, joined, objects)
            if literals is not None:
                self._add_effect(
                    action, effect, self._args(effect.atom.args, joined, objects), literals
                )

        self.database.watch(Rule(len(joined.variables), joined.positive, joined.distinct, fire))

    def _add_effect(
        self, action: GroundAction, effect: EffectSchema, args: Objects, condition: GroundLiterals
    ) -> None:
        fact = self.facts.number(effect.atom.predicate, args)
        action.effects.append(GroundEffect(fact, effect.adds, condition))
        if effect.adds:
            self.database.add(effect.atom.predicate, args)

    # ---- literals -----------------------------------------------------------------------------

    def _literals(self, made: Pattern, objects: Objects) -> GroundLiterals:
        positive = [
            self.facts.number(predicate, _ground(terms, objects))
            for predicate, terms in made.positive
            if predicate != OBJECT
        ]
        negative = [
            self._asked_fact(predicate, _ground(terms, objects))
            for predicate, terms in made.negative
        ]
        return self._sorted(positive, negative)

    def _sorted(self, positive: Sequence[int], negative: Sequence[int]) -> GroundLiterals:
        """Return literals by what can change their facts."""
        parts: tuple[dict[int, None], ...] = tuple({} for _ in range(6))
        for offset, facts in ((0, positive), (1, negative)):
            for fact in facts:
                predicate = self.facts.keys[fact][0]
                kind = (
                    4 if predicate in self.derived else 2 if predicate in self.model.fluents else 0
                )
                parts[kind + offset][fact] = None
        return GroundLiterals(*map(tuple, parts))

    def _asked_fact(self, predicate: str, args: Objects) -> int:
        """Return the number of a fact used negatively; what derives it must be known."""
        if predicate in self.derived:
            self.database.add(_asked(predicate), args)
        return self.facts.number(predicate, args)


def _circles(derived: Sequence[DerivedRows]) -> dict[str, frozenset[str]]:
    direct = {rows.name: set[str]() for rows in derived}
    for rows in derived:
        named = {lit.atom.predicate for row in rows.rows for lit in row}
        direct[rows.name] |= named & direct.keys()
    uses = closed(direct)
    return {
        name: frozenset(other for other in used if name in uses[other])
        for name, used in uses.items()
        if name in used
    }


def _asked(name: str) -> str:
    return f"(asked {name})"


def _has_own_variables(effect: EffectSchema, made: Pattern) -> bool:
    used = {t for row in effect.rows for lit in row for t in lit.atom.args if is_variable(t)}
    return bool(effect.variables) or not used <= made.terms.keys()


def _needed(made: Pattern, bound: set[int]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the positive conditions, without enumerating the objects of what is bound anyway."""
    return tuple(
        (predicate, terms)
        for predicate, terms in made.positive
        if not (predicate == OBJECT and set(terms) <= bound)
    )


def _ground(terms: tuple[int, ...], objects: Objects) -> Objects:
    return tuple([objects[t] if t >= 0 else -1 - t for t in terms])


def _value(term: int, objects: Objects) -> int:
    return objects[term] if term >= 0 else -1 - term
