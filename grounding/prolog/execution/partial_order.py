"""From an executed plan to one whose steps have only the order they need, for the scheduler.

Agents are assigned anew, so what a plan says of one agent orders nothing between actions, with two exceptions
that are made visible here as facts without a name in them. A fact that an action makes and unmakes
itself (``drilling(a1, p)``) keeps others away while it holds, whoever does it. And what an action leaves
its agent with that agents do not have from the beginning (a tool taken up) ties the next action to the same
agent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.grounding.prolog.base.knowledge_base import Base, stem_of
from commonground.grounding.prolog.base.relations import Fact, Facts, fact_of, is_of
from commonground.grounding.prolog.base.terms import Term, Var, args_of, key_of, text
from commonground.grounding.prolog.execution.blocks import Block, general_needs, span_of
from commonground.grounding.prolog.execution.refinement import Made
from commonground.planning.temporal import Activity, Step, TotalOrder
from commonground.planning.temporal.plan_model import Place

Texts = tuple[str, ...]


def texts_of(fact: Fact) -> Texts:
    """Return a fact in the scheduler's words."""
    return (str(fact[0]), *map(text, fact[1:]))


@dataclass(frozen=True, slots=True)
class Timed:
    """A plan for the scheduler, and what its assignments have to keep to."""

    plan: TotalOrder
    blocks: tuple[Block, ...]
    together: tuple[tuple[Place, Place], ...] = ()
    """Places that need the same agent."""
    pinned: frozenset[int] = frozenset()
    """Blocks that keep their agents."""


def timed_plan(
    base: Base, made: Sequence[Made], given: Sequence[Term], blocks: Sequence[Block]
) -> Timed:
    """Return the plan of executed steps; ``given`` are the steps before their variables were bound."""
    agents = set(base.agents)
    maker = _Maker(base, made, given, blocks)
    maker.find_links()
    steps = [maker.step(number) for number in range(len(made))]
    activities = _activities(base, made, blocks)
    pools = {kind: tuple(map(text, pool)) for kind, pool in base.pools.items()}
    plan = TotalOrder(
        tuple(steps),
        tuple(activities),
        pools,
        frozenset(texts_of(fact_of(f.term)) for f in base.init),
        tuple(_goal(g.term) for g in base.goal if agents.isdisjoint(args_of(g.term))),
    )
    return Timed(plan, tuple(blocks), tuple(maker.together), frozenset(maker.pinned))


def _goal(term: Term) -> Texts:
    parts = ("_" if isinstance(a, Var) else text(a) for a in args_of(term))
    return (key_of(term)[0], *parts)


def _activities(base: Base, made: Sequence[Made], blocks: Sequence[Block]) -> list[Activity]:
    """Return the blocks as outermost activities, first of all, and their low-level actions inside them."""
    agents = {text(agent) for agent in base.agents}
    activities = []
    for block in blocks:
        stem = stem_of(key_of(block.head)[0])
        least, most = span_of(base, stem, bool(block.lows))
        activities.append(Activity(block.name, block.start, block.end, least, most, block.agents))
    for number, block in enumerate(blocks):
        for start, end in block.lows:
            action = made[start].action
            least, most = span_of(base, stem_of(key_of(action)[0]), False)
            used = tuple(
                dict.fromkeys(
                    a for a in map(text, args_of(action)) if a in agents and a in block.agents
                )
            )
            name = f"{stem_of(key_of(action)[0])}({', '.join(map(text, args_of(action)))})"
            activities.append(Activity(name, start, end, least, most, used, number))
    return activities


class _Maker:
    def __init__(
        self, base: Base, made: Sequence[Made], given: Sequence[Term], blocks: Sequence[Block]
    ) -> None:
        self.base, self.made, self.given, self.blocks = base, made, given, blocks
        self.agents = set(base.agents)
        self.owner = {step: n for n, block in enumerate(blocks) for step in block.steps}
        self.init = frozenset(fact_of(f.term) for f in base.init)
        self.start, self.universe = Facts(), Facts()
        for fact in self.init:
            self.start.add(fact)
            self.universe.add(fact)
        for step in made:
            for added, fact in step.effects:
                if added:
                    self.universe.add(fact)
        self.passing = self._passing()
        self.together: list[tuple[Place, Place]] = []
        self.pinned: set[int] = set()
        self.extra_needs: dict[int, list[Texts]] = {}
        self.extra_adds: dict[int, list[Texts]] = {}
        self.extra_deletes: dict[int, list[Texts]] = {}
        self._pin_overlaps()

    def _about_agent(self, fact: Fact) -> bool:
        return not self.agents.isdisjoint(fact[1:])

    def _passing(self) -> dict[tuple[int, Fact], Texts]:
        """Return facts about agents that a block makes and unmakes, each with a name without an agent."""
        made: dict[tuple[int, Fact], bool] = {}
        for number, step in enumerate(self.made):
            for added, fact in step.effects:
                if self._about_agent(fact) and fact not in self.init:
                    made[self.owner[number], fact] = added
        return {
            (block, fact): self._nameless(block, fact)
            for (block, fact), lasts in made.items()
            if not lasts
            and any(
                added and f == fact
                for s in self.blocks[block].steps
                for added, f in self.made[s].effects
            )
        }

    def _nameless(self, block: int, fact: Fact) -> Texts:
        doer = f"who does {self.blocks[block].start}"
        return (str(fact[0]), *(doer if a in self.agents else text(a) for a in fact[1:]))

    def _pin_overlaps(self) -> None:
        """Let blocks that overlap in the plan and share an agent keep it, and only the first use it up."""
        kept: list[Block] = []
        for number, block in enumerate(self.blocks):
            for earlier in range(number):
                other = kept[earlier]
                shared = set(block.agents) & set(other.agents)
                if other.end > block.start and shared:
                    self.pinned |= {number, earlier}
                    own = tuple(a for a in block.agents if a not in shared)
                    block = Block(block.head, block.start, block.end, block.lows, own)
            kept.append(block)
        self.blocks = kept

    # ---- links between blocks by what an agent was left with ----

    def find_links(self) -> None:
        """Find needs that only another block's effect on the same agent fulfils."""
        for number, step in enumerate(self.made):
            for fact, pattern in general_needs(self.base, self.given[number], step):
                if not self._about_agent(fact) or any(True for _ in self.start.matching(pattern)):
                    continue
                maker = self._maker_of(fact, number)
                if maker is not None and self.owner[maker] != self.owner[number]:
                    self._link(maker, number, fact)

    def _maker_of(self, fact: Fact, step: int) -> int | None:
        adders = (s for s in range(step - 1, -1, -1) if (True, fact) in self.made[s].effects)
        return next(adders, None)

    def _link(self, maker: int, step: int, fact: Fact) -> None:
        kept: Texts = (
            str(fact[0]),
            *(f"the agent of step {maker}" if a in self.agents else text(a) for a in fact[1:]),
        )
        self.extra_adds.setdefault(maker, []).append(kept)
        self.extra_needs.setdefault(step, []).append(kept)
        loser = next(
            (s for s in range(maker + 1, len(self.made)) if (False, fact) in self.made[s].effects),
            None,
        )
        if loser is not None:
            self.extra_deletes.setdefault(loser, []).append(kept)
        first, second = self.owner[maker], self.owner[step]
        for agent in (text(a) for a in fact[1:] if a in self.agents):
            places = [
                (block, self.blocks[block].agents.index(agent))
                for block in (first, second)
                if agent in self.blocks[block].agents
            ]
            if len(places) == 2:
                self.together.append((places[0], places[1]))
            else:
                self.pinned |= {first, second}

    # ---- steps ----

    def step(self, number: int) -> Step:
        """Return a step in the scheduler's words."""
        made, block = self.made[number], self.owner[number]
        truth: dict[Fact, bool] = {fact: added for added, fact in made.effects}
        adds = [texts_of(f) for f, holds in truth.items() if holds]
        deletes = [texts_of(f) for f, holds in truth.items() if not holds]
        for fact, holds in truth.items():
            nameless = self.passing.get((block, fact))
            if nameless is not None:
                (adds if holds else deletes).append(nameless)
        return Step(
            f"{number} {text(made.action)}",
            (*map(texts_of, made.needs), *self.extra_needs.get(number, ())),
            tuple(dict.fromkeys(self._forbids(number, block))),
            (*adds, *self.extra_adds.get(number, ())),
            (*deletes, *self.extra_deletes.get(number, ())),
        )

    def _forbids(self, number: int, block: int) -> Iterator[Texts]:
        """Yield the facts that must not hold: of no agent, of the own one, and what others are doing."""
        own = {a for a in args_of(self.blocks[block].head) if a in self.agents}
        for pattern in self.made[number].forbids:
            for fact in self.universe.matching(pattern):
                about = {a for a in fact[1:] if a in self.agents}
                if about <= own:
                    yield texts_of(fact)
            for (other, fact), nameless in self.passing.items():
                if other != block and is_of(fact, pattern) and self._of_anyone(fact, pattern):
                    yield nameless

    def _of_anyone(self, fact: Fact, pattern: Term) -> bool:
        """Return whether a pattern leaves open which agent a fact is about."""
        return all(
            isinstance(arg, Var)
            for arg, value in zip(args_of(pattern), fact[1:], strict=True)
            if value in self.agents
        )
