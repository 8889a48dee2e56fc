"""An executed plan as blocks: a high-level action with the low-level ones that it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.errors import GroundingError
from commonground.grounding.prolog.base.knowledge_base import END, START, Base, Schema, stem_of
from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    args_of,
    key_of,
    match,
    may_unify,
    substitute,
    text,
)
from commonground.grounding.prolog.execution.refinement import Made

UNIT_S = 1.0
"""How long an action takes of which the base does not say."""


@dataclass(frozen=True, slots=True)
class Block:
    """A high-level action of a plan: its steps by number, and who does it."""

    head: Term
    start: int
    end: int
    lows: tuple[tuple[int, int], ...]
    """Start and end step of each low-level action."""
    agents: tuple[str, ...]

    @property
    def steps(self) -> tuple[int, ...]:
        """All its steps."""
        return (self.start, *(step for pair in self.lows for step in pair), self.end)

    @property
    def name(self) -> str:
        """Return the action as it is called, without ``_start``."""
        return action_name(self.head)


def action_name(head: Term) -> str:
    """Return ``move(a1, b1)`` for ``move_start(a1, b1)``."""
    inner = ", ".join(map(text, args_of(head)))
    stem = stem_of(key_of(head)[0])
    return f"{stem}({inner})" if inner else stem


def blocks_of(base: Base, made: Sequence[Made], owners: Sequence[int | None]) -> list[Block]:
    """Return the blocks of a plan by their starts; ``owners`` tells which step a step refines."""
    agents = {text(agent) for agent in base.agents}
    lows: dict[int, list[int]] = {}
    for step, owner in enumerate(owners):
        if owner is not None:
            lows.setdefault(owner, []).append(step)
    tops = [step for step, owner in enumerate(owners) if owner is None]
    blocks = []
    for start, end in _pairs(made, tops):
        head = made[start].action
        inner = tuple(_pairs(made, lows.get(start, [])))
        used = tuple(name for name in map(text, args_of(head)) if name in agents)
        blocks.append(Block(head, start, end, inner, tuple(dict.fromkeys(used))))
    return sorted(blocks, key=lambda block: block.start)


def _pairs(made: Sequence[Made], steps: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each start with the next end of the same action."""
    left = list(steps)
    while left:
        start = left.pop(0)
        name = key_of(made[start].action)[0]
        wanted = (stem_of(name) + END, args_of(made[start].action))
        end = next(
            (s for s in left if (key_of(made[s].action)[0], args_of(made[s].action)) == wanted),
            None,
        )
        if not name.endswith(START) or end is None:
            raise GroundingError(
                f"{text(made[start].action)} has no start and end that belong together in the plan; "
                "see 'assemble kb check'"
            )
        left.remove(end)
        yield start, end


def span_of(base: Base, stem: str, composed: bool) -> tuple[float, float]:
    """Return the shortest and longest time of an action; one that consists of others takes what they take."""
    if stem in base.durations:
        return base.durations[stem]
    return (0.0, float("inf")) if composed else (UNIT_S, UNIT_S)


def least_of(base: Base, lows: Sequence[Term]) -> float:
    """Return how long steps of a mapping take at least, one after the other."""
    now = 0.0
    begun: list[tuple[Term, float]] = []
    for low in lows:
        if not key_of(low)[0].endswith(END):
            begun.append((low, now))
            continue
        least = span_of(base, stem_of(key_of(low)[0]), False)[0]
        own = next((entry for entry in begun if ends(low, entry[0])), None)
        if own is not None:
            begun.remove(own)
            now = max(now, own[1] + least)
    return now


def ends(low: Term, start: Term) -> bool:
    """Return whether a step ends what another one starts."""
    name, arity = key_of(low)
    return (stem_of(name) + START, arity) == key_of(start) and may_unify(
        Struct("", args_of(low)), Struct("", args_of(start))
    )


def general_needs(base: Base, given: Term, made: Made) -> list[tuple[Fact, Term]]:
    """Return what a step needed, each with the pattern that the base asks for before the step is bound."""
    for schema in base.by_name.get(key_of(made.action), []):
        if len(schema.needs) == len(made.needs):
            binding = _binding(schema, given)
            patterns = [substitute(n.term, binding) for n in schema.needs]
            if all(_fits(p, f) for p, f in zip(patterns, made.needs, strict=True)):
                return list(zip(made.needs, patterns, strict=True))
    return []


def _binding(schema: Schema, given: Term) -> dict[str, Term]:
    binding: dict[str, Term] = {}
    match(schema.head, given, binding)
    return binding


def _fits(pattern: Term, fact: Fact) -> bool:
    return key_of(pattern) == (fact[0], len(fact) - 1)
