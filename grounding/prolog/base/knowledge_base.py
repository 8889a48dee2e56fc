"""A knowledge base as data: general facts, actions of two levels, what maps them, states, resources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from commonground.grounding.prolog.base.goals import called
from commonground.grounding.prolog.base.modes import Modes
from commonground.grounding.prolog.base.terms import Struct, Term, Var, args_of, key_of, match, text

Level = Literal["high", "low"]
Place = tuple[int, int]
Key = tuple[str, int]
START, END = "_start", "_end"
DURATION, SETUP = ("duration", 3), ("setup_time", 3)
STATEMENTS = {
    ("init_state", 1), ("goal_state", 1), ("action", 5), ("ll_action", 5), ("mapping", 2), ("resources", 1),
    ("duration", 3), ("setup_time", 3),
}  # fmt: skip
"""What the format knows; everything else is a general fact or rule."""


@dataclass(frozen=True, slots=True)
class Located:
    """A term and where it stands."""

    term: Term
    place: Place = (0, 0)


@dataclass(frozen=True, slots=True)
class Schema:
    """The start or the end of an action, with variables."""

    level: Level
    head: Term
    needs: tuple[Located, ...]
    forbids: tuple[Located, ...]
    goals: tuple[Located, ...]
    effects: tuple[tuple[bool, Located], ...]
    """(whether it is added, fact) in the order in which they are applied."""
    place: Place = (0, 0)

    @property
    def name(self) -> str:
        """Return ``move_start`` of ``move_start(A, B)``."""
        return key_of(self.head)[0]

    @property
    def stem(self) -> str:
        """Return ``move`` of ``move_start``."""
        return stem_of(self.name)

    @property
    def spoken(self) -> tuple[Term, ...]:
        """All that it speaks of, grounding goals left out."""
        stated = (c.term for c in (*self.needs, *self.forbids))
        return (self.head, *stated, *(fact.term for _, fact in self.effects))


@dataclass(frozen=True, slots=True)
class Refinement:
    """What a high-level start is mapped to."""

    head: Term
    lows: tuple[Located, ...]
    place: Place = (0, 0)


@dataclass(frozen=True, slots=True)
class Clause:
    """A general fact or rule."""

    head: Term
    body: Term | None = None
    place: Place = (0, 0)


def never(key: tuple[str, int]) -> Clause:
    """Return a rule that keeps a predicate defined when its last fact is gone."""
    name, arity = key
    return Clause(
        Struct(name, tuple(Var(f"_{i}") for i in range(arity))) if arity else name, "fail"
    )


@dataclass(frozen=True)
class Base:
    """A knowledge base that was read; nothing in it has run."""

    source: str
    general: tuple[Clause, ...] = ()
    init: tuple[Located, ...] = ()
    goal: tuple[Located, ...] = ()
    high: tuple[Schema, ...] = ()
    low: tuple[Schema, ...] = ()
    mappings: tuple[Refinement, ...] = ()
    resources: tuple[Located, ...] = ()
    times: tuple[Located, ...] = ()
    """The statements duration/3 and setup_time/3, with numbers of seconds in them."""
    members: Mapping[Key, tuple[Term, ...]] = field(default_factory=dict)
    """Predicates of resources that rules define → their members, as Prolog finds them."""

    @cached_property
    def durations(self) -> Mapping[str, tuple[float, float]]:
        """Stem of an action → its shortest and longest time in seconds, as the base states them."""
        stated = (args_of(t.term) for t in self.times if key_of(t.term) == DURATION)
        return {str(stem): (seconds_of(least), seconds_of(most)) for stem, least, most in stated}

    @cached_property
    def setups(self) -> tuple[tuple[Term, Term, float], ...]:
        """(stem, stem, seconds) between two high-level actions on one resource; a variable is any."""
        stated = (args_of(t.term) for t in self.times if key_of(t.term) == SETUP)
        return tuple((first, second, seconds_of(s)) for first, second, s in stated)

    def setup_s(self, before: str, after: str) -> float:
        """Return the time between two high-level actions that follow on one resource: the longest stated."""
        stated = (
            seconds
            for first, second, seconds in self.setups
            if (isinstance(first, Var) or first == before)
            and (isinstance(second, Var) or second == after)
        )
        return max(stated, default=0.0)

    @cached_property
    def schemas(self) -> tuple[Schema, ...]:
        """The actions of both levels."""
        return (*self.high, *self.low)

    @cached_property
    def by_name(self) -> Mapping[tuple[str, int], list[Schema]]:
        """Name and arity → the clauses of that action."""
        found: dict[tuple[str, int], list[Schema]] = {}
        for schema in self.schemas:
            found.setdefault(key_of(schema.head), []).append(schema)
        return found

    @cached_property
    def facts(self) -> tuple[Term, ...]:
        """The general facts, rules left out."""
        return tuple(c.head for c in self.general if c.body is None)

    @cached_property
    def fact_keys(self) -> frozenset[tuple[str, int]]:
        """The general predicates that facts alone define."""
        ruled = {key_of(c.head) for c in self.general if c.body is not None}
        return frozenset(key_of(fact) for fact in self.facts) - ruled

    @cached_property
    def modes(self) -> Modes:
        """What goals on the base need to know and find out."""
        return Modes(self.general)

    @cached_property
    def pools(self) -> Mapping[str, tuple[Term, ...]]:
        """Kind of resource → its members, in the order of the base; kinds with common members are one."""
        pools: dict[str, tuple[Term, ...]] = {}
        for resource in self.resources:
            found = self.members.get(key_of(resource.term))
            members = dict.fromkeys(self._members(resource.term) if found is None else found)
            kind = text(resource.term).partition("(")[0]
            for known in [k for k, names in pools.items() if not members.keys().isdisjoint(names)]:
                members = dict.fromkeys((*pools.pop(known), *members))
                kind = known
            if members:
                pools[kind] = tuple(members)
        return pools

    def _members(self, pattern: Term) -> Iterator[Term]:
        """Yield what stands in the place of a resource in the facts of a pattern."""
        place = resource_place(pattern)
        for fact in self.facts:
            if match(pattern, fact, {}) and isinstance(fact, Struct):
                yield fact.args[place]

    @cached_property
    def agents(self) -> tuple[Term, ...]:
        """All resources."""
        return tuple(name for pool in self.pools.values() for name in pool)

    def state_keys(self, level: Level) -> set[tuple[str, int]]:
        """Return the predicates that actions of a level read or write."""
        keys: set[tuple[str, int]] = set()
        for schema in self.high if level == "high" else self.low:
            keys |= {key_of(c.term) for c in (*schema.needs, *schema.forbids)}
            keys |= {key_of(fact.term) for _, fact in schema.effects}
        return keys

    def low_only(self) -> set[tuple[str, int]]:
        """Return the predicates that only the low level asks for or changes."""
        low = self.state_keys("low") | asked(self.low)
        high = self.state_keys("high") | asked(self.high)
        return low - high

    def ends(self, start: Schema) -> list[Schema]:
        """Return the clauses that end what a schema starts."""
        key = (start.stem + END, key_of(start.head)[1])
        return [s for s in self.by_name.get(key, []) if s.level == start.level]

    def starts(self, level: Level) -> list[Schema]:
        """Return the clauses that start an action."""
        schemas = self.high if level == "high" else self.low
        return [s for s in schemas if s.name.endswith(START)]


def asked(schemas: Iterable[Schema]) -> set[Key]:
    """Return the predicates that grounding goals of actions call."""
    return {key_of(part) for s in schemas for g in s.goals for part in called(g.term)}


def resource_place(pattern: Term) -> int:
    """Return which argument of a pattern is the resource: the first that is left open."""
    return next((i for i, a in enumerate(args_of(pattern)) if isinstance(a, Var)), 0)


def seconds_of(term: Term) -> float:
    """Return a number of seconds; 0 for what is none."""
    return float(term) if isinstance(term, (int, float)) else 0.0


def stem_of(name: str) -> str:
    """Return the name of an action without ``_start`` or ``_end``."""
    return name.removesuffix(START) if name.endswith(START) else name.removesuffix(END)
