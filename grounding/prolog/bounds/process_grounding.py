"""Ground actions of a base as processes in time, on facts that are bits: what a search over all plans needs.

A process is a high-level action with its agents: a start, what follows in its order, and an end. On the high
level alone it lasts as long as what it is mapped to needs at least; with both levels, the steps it is mapped
to follow one by one. What is left out here only makes executions longer, so the shortest makespan is
never above the true one, and what cannot be reached here cannot be reached at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product

from commonground.grounding.prolog.actions.grounder import Breadth, Grounder, TooMany
from commonground.grounding.prolog.actions.instances import Op
from commonground.grounding.prolog.actions.lifted import (
    Lifted,
    Table,
    lift,
    open_names,
    substituted,
)
from commonground.grounding.prolog.actions.pddl_task import linked, sorted_facts
from commonground.grounding.prolog.actions.symmetry import alike
from commonground.grounding.prolog.base.knowledge_base import END, START, Base, stem_of
from commonground.grounding.prolog.base.relations import (
    Fact,
    Facts,
    fact_of,
    join,
    matched,
    term_of,
)
from commonground.grounding.prolog.base.terms import (
    Term,
    args_of,
    key_of,
    substitute,
    variables,
)
from commonground.grounding.prolog.bounds.process import Moment, Process, Processes, Slot
from commonground.grounding.prolog.execution.blocks import UNIT_S, ends, least_of, span_of
from commonground.grounding.prolog.execution.refinement import mapped
from commonground.grounding.prolog.search.total_order import HighTask

MOST_STEPS = 20_000
"""Most ground starts and ends that are searched in time."""
ROUND_STEPS = 60_000
"""Most that are searched by rounds, which takes actions that forbid nothing."""
WHATEVER = "$whatever"
"""Stands for any argument; no atom of a base is called so."""
DECIMALS = 6
"""Durations with at most so many decimals are counted exactly; others are rounded down."""


@dataclass(frozen=True, slots=True)
class Ground:
    """All ground steps of a base that may ever be made."""

    high: tuple[Op, ...]
    low: tuple[Op, ...]


def ground(task: HighTask) -> Ground | None:
    """Return all ground steps of a base; None: they are too many, or the low level changes the high one."""
    free = not any(stage.forbids for step in task.steps for stage in step.stages)
    most = ROUND_STEPS if free else MOST_STEPS
    breadth = Breadth(math.inf, True, most, True)
    if any(open_names(task.base, step) for step in task.steps) or _below_changes_above(task.base):
        return None
    if roughly(task) > most:
        return None
    try:
        high = task.grounder(False, False, frozenset()).ops(breadth)
        return Ground(tuple(high), tuple(_low_steps(task, breadth, high)))
    except TooMany:
        return None


def roughly(task: HighTask) -> float:
    """Return about how many ground steps there may be, before any is made."""
    return sum(math.prod(len(t.relation) for t in _covering(step.tables)) for step in task.steps)


def _covering(tables: Sequence[Table]) -> Iterator[Table]:
    """Yield the smallest tables that bind all their variables."""
    bound: set[Term] = set()
    for table in sorted(tables, key=lambda t: len(t.relation)):
        if not bound.issuperset(table.args):
            bound.update(table.args)
            yield table


def processes_of(
    task: HighTask, steps: Ground, *, joint: bool, exclusive: bool = True
) -> Processes:
    """Return the processes of ground steps, of the high level or of both."""
    return _Builder(task, steps.high, steps.low, joint, exclusive).built()


def _low_steps(task: HighTask, breadth: Breadth, high: Sequence[Op]) -> list[Op]:
    """Return the low-level steps that may ever be made, whatever the high level adds."""
    base = task.base
    if not base.low:
        return []
    steps = [_without_passed(base, s) for s in lift(task.engine, task.loaded, base.low)]
    if any(open_names(base, step) for step in steps):
        raise TooMany
    made = {fact for op in high for fact in op.adds}
    init = [*(fact_of(f.term) for f in base.init), *sorted_facts(made)]
    return Grounder(steps, init, (), task.residual).ops(breadth)


def _without_passed(base: Base, step: Lifted) -> Lifted:
    """Return a step in which arguments that it is given and does nothing with stand for any."""
    used = {v for _, fact in step.stages[0].effects for v in variables(fact)}
    passed = dict.fromkeys(open_names(base, step) - used, WHATEVER)
    return substituted(step, passed) if passed else step


def _below_changes_above(base: Base) -> bool:
    """Return whether low-level steps change what the high level speaks of."""
    keys = base.state_keys("high")
    return any(key_of(fact.term) in keys for s in base.low for _, fact in s.effects)


class _Builder:
    def __init__(
        self, task: HighTask, high: Sequence[Op], low: Sequence[Op], joint: bool, exclusive: bool
    ) -> None:
        self.task, self.base, self.joint, self.exclusive = task, task.base, joint, exclusive
        self.high = [op for op in high if _name(op).endswith(START)]
        self.ends = _by_head(op for op in high if _name(op).endswith(END))
        self.low = _by_name(low)
        self.number: dict[Fact, int] = {}
        self.known = Facts()
        self.moments: list[Moment] = []
        self._placed: dict[int, int] = {}
        self._fits: dict[Term, list[Op]] = {}
        self.agent = {agent: n for n, agent in enumerate(self.base.agents)}
        self.unit_s = unit_of(self.base)

    def built(self) -> Processes:
        """Return the processes."""
        base = self.base
        init = [fact_of(f.term) for f in base.init if self.joint or not self._low(f.term)]
        used = [*self.high, *chain.from_iterable(self.ends.values())]
        if self.joint:
            used += chain.from_iterable(self.low.values())
        goal = tuple(g.term for g in base.goal if self.joint or not self._low(g.term))
        self.init = frozenset(init)
        self._number_facts(used, goal)
        found = tuple(filter(None, map(self._process, self.high)))
        setups = self._setups() if self.exclusive else {}
        groups = () if self.joint or setups else self._alike(found)
        return Processes(
            tuple(self.number),
            tuple(self.moments),
            found,
            self._bits(init),
            self._goal(goal),
            self.unit_s,
            self.exclusive,
            groups,
            base.agents,
            setups,
        )

    def _number_facts(self, used: Sequence[Op], goal: Sequence[Term]) -> None:
        """Give each fact that changes a number; what only tells that a process runs gets none."""
        changing: set[Fact] = set()
        for op in used:
            changing |= op.adds | op.deletes
        for fact in (*sorted_facts(self.init), *sorted_facts(changing)):
            self.known.add(fact)
        self.tokens = self._tokens(used, goal)
        for fact in sorted_facts(changing - self.tokens):
            self.number[fact] = len(self.number)

    def _low(self, term: Term) -> bool:
        return key_of(term) in self.base.state_keys("low") - self.base.state_keys("high")

    def _tokens(self, used: Sequence[Op], goal: Sequence[Term]) -> frozenset[Fact]:
        """Return the facts that only tell that one process runs: the search knows that anyway."""
        makers: dict[Fact, set[Fact]] = {}
        for op in used:
            for fact in op.adds:
                makers.setdefault(fact, set()).add(_stem(op))
        own = {f: next(iter(by)) for f, by in makers.items() if len(by) == 1 and f not in self.init}
        barred: set[Fact] = set()
        for pattern in {f.pattern for op in used for f in op.forbids} | set(goal):
            barred.update(self.known.matching(pattern))
        for op in used:
            barred |= self._other_uses(op, own)
        return frozenset(own) - barred

    def _other_uses(self, op: Op, own: Mapping[Fact, Fact]) -> set[Fact]:
        """Return the facts that a step uses in another way than a process its own token."""
        if not _name(op).endswith(END):
            return {*op.needs, *op.deletes, *(op.adds if self._is_low(op) else ())}
        stem = _stem(op)
        return {*op.adds, *(f for f in op.needs | op.deletes if own.get(f) != stem)}

    def _is_low(self, op: Op) -> bool:
        return key_of(term_of(op.heads[0])) in {key_of(s.head) for s in self.base.low}

    # ---- processes ----

    def _process(self, op: Op) -> Process | None:
        head = term_of(op.heads[0])
        stem = stem_of(key_of(head)[0])
        ends = self.ends.get((stem, *args_of(head)), [])
        if not ends:
            return None
        start, last = self._moment(op), tuple(self._moment(e) for e in ends)
        lows = mapped(self.base, fact_of(head), 0)
        if any(not self._fitting(low) for low in lows):
            return None  # what it is mapped to can never be made
        composed = bool(lows)
        least, most = span_of(self.base, stem, composed)
        if start < 0 or all(m < 0 for m in last):
            return None
        last = tuple(m for m in last if m >= 0)
        agents = self.moments[start].agents
        if not (self.joint and lows):
            wait = self._units(max(least, least_of(self.base, lows)))
            return Process(start, (Slot(last, wait, self._slack(wait, most)),), agents)
        slots = self._slots(lows)
        return None if slots is None else Process(start, (*slots, Slot(last, 0)), agents)

    def _slots(self, lows: Sequence[Term]) -> list[Slot] | None:
        """Return the steps of a mapping one by one, each some time after the one before."""
        slots: list[Slot] = []
        for number, low in enumerate(lows):
            chosen = [m for op in self._fitting(low) if (m := self._moment(op)) >= 0]
            if not chosen:
                return None
            wait, slack = 0, None
            # what other steps lie in between may end as soon as they have: that is never too late
            if key_of(low)[0].endswith(END) and number and ends(low, lows[number - 1]):
                least, most = span_of(self.base, stem_of(key_of(low)[0]), False)
                wait = self._units(least)
                slack = self._slack(wait, most)
            slots.append(Slot(tuple(chosen), wait, slack))
        return slots

    def _fitting(self, low: Term) -> list[Op]:
        """Return the ground steps that a step of a mapping may be."""
        known = self._fits.get(low)
        if known is None:
            known = [op for op in self.low.get(key_of(low), ()) if _may_be(op.heads[0], low)]
            self._fits[low] = known
        return known

    def _moment(self, op: Op) -> int:
        """Return the number of a step; negative: it can never be made."""
        known = self._placed.get(id(op))
        if known is not None:
            return known
        forbidden = {
            f
            for entry in op.forbids
            for f in self.known.matching(entry.pattern)
            if f not in entry.but
        }
        never = any(f not in self.number and f in self.init for f in forbidden)
        never |= any(
            f not in self.number and f not in self.init and f not in self.tokens for f in op.needs
        )
        number = -1
        if not never:
            number = len(self.moments)
            agents = sum(1 << n for a, n in self.agent.items() if a in op.heads[0][1:])
            self.moments.append(
                Moment(
                    op.heads[0],
                    self._bits(op.needs),
                    self._bits(forbidden),
                    self._bits(op.adds),
                    self._bits(op.deletes),
                    agents,
                )
            )
        self._placed[id(op)] = number
        return number

    def _bits(self, facts: Iterable[Fact]) -> int:
        bits = 0
        for fact in facts:
            place = self.number.get(fact)
            if place is not None:
                bits |= 1 << place
        return bits

    def _units(self, seconds: float) -> int:
        return math.floor(seconds / self.unit_s + 1e-6)

    def _setups(self) -> dict[tuple[str, str], int]:
        """Return the time between two actions on one agent, where there has to be any."""
        stems = {s.stem for s in self.base.high}
        return {
            (a, b): self._units(seconds)
            for a, b in product(sorted(stems), repeat=2)
            if (seconds := self.base.setup_s(a, b)) > 0
        }

    def _slack(self, wait: int, most: float) -> int | None:
        return None if math.isinf(most) else max(0, math.ceil(most / self.unit_s - 1e-6) - wait)

    def _goal(self, goal: Sequence[Term]) -> tuple[tuple[int, ...], ...]:
        groups = []
        for group in linked(goal):
            ways = []
            for binding in join([self.known.atom(pattern) for pattern in group], {}):
                facts = [fact_of(substitute(pattern, binding)) for pattern in group]
                ways.append(self._bits(facts))
            groups.append(tuple(dict.fromkeys(ways)))
        return tuple(groups)

    def _alike(self, found: Sequence[Process]) -> tuple[tuple[int, ...], ...]:
        """Return the agents of which the high level says the same and that the low level lets do the same."""
        groups: list[tuple[int, ...]] = []
        for group in alike(self.base):
            if any(len(set(group).intersection(fact)) > 1 for fact in self.number):
                continue
            able: dict[frozenset[Fact], list[int]] = {}
            for agent in group:
                able.setdefault(self._able(found, agent), []).append(self.agent[agent])
            groups += [tuple(members) for members in able.values() if len(members) > 1]
        return tuple(groups)

    def _able(self, found: Sequence[Process], agent: Term) -> frozenset[Fact]:
        """Return what an agent can do, without its name."""
        heads = (self.moments[process.start].head for process in found)
        return frozenset(
            tuple("" if arg == agent else arg for arg in head)
            for head in heads
            if agent in head[1:]
        )


def unit_of(base: Base) -> float:
    """Return the unit in which all durations are whole numbers."""
    times = [UNIT_S, *(t for span in base.durations.values() for t in span)]
    times += [seconds for _, _, seconds in base.setups]
    for decimals in range(DECIMALS + 1):
        unit = 10.0**-decimals
        if all(math.isclose(t, round(t, decimals), abs_tol=1e-12) for t in times):
            return unit
    return unit


def _may_be(head: Fact, call: Term) -> bool:
    """Return whether a step is meant by a call; arguments that it does nothing with fit all."""
    pairs = [(a, v) for a, v in zip(args_of(call), head[1:], strict=True) if v != WHATEVER]
    return matched(tuple(a for a, _ in pairs), tuple(v for _, v in pairs), {}) is not None


def _name(op: Op) -> str:
    return str(op.heads[0][0])


def _stem(op: Op) -> Fact:
    return (stem_of(_name(op)), *op.heads[0][1:])


def _by_head(ops: Iterable[Op]) -> dict[Fact, list[Op]]:
    found: dict[Fact, list[Op]] = {}
    for op in ops:
        found.setdefault(_stem(op), []).append(op)
    return found


def _by_name(ops: Iterable[Op]) -> dict[tuple[str, int], list[Op]]:
    found: dict[tuple[str, int], list[Op]] = {}
    for op in ops:
        found.setdefault((_name(op), len(op.heads[0]) - 1), []).append(op)
    return found
