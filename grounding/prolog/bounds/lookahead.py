"""What is known of a state of processes without searching: time to the goal, what may start, who is alike."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import numpy as np

from commonground.arrays import Bytes, Ints
from commonground.grounding.prolog.actions.symmetry import renamed
from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.base.terms import Term
from commonground.grounding.prolog.bounds._epoch_kernels import (
    NEVER,
    Ahead,
    Moments,
    Table,
    reachable,
    soonest,
)
from commonground.grounding.prolog.bounds.process import Moment, Processes, bits_of

Running = Sequence[tuple[int, int, int]]


class Lookahead:
    """Looks ahead from states of some processes."""

    def __init__(self, processes: Processes) -> None:
        self.p = processes
        self.count = len(processes.facts)
        self.bytes = (self.count + 7) // 8 or 1
        self._spoken = [
            sum(1 << n for n, f in enumerate(processes.facts) if agent in f[1:])
            for agent in processes.agents
        ]
        self._alike_facts = self._signatures()
        self._grouped = sum(1 << a for group in processes.alike for a in group)
        self._about = 0
        for group in processes.alike:
            for agent in group:
                self._about |= self._spoken[agent]
        self._class = self._classes()
        self._watch = self._watched()
        self._starts: dict[int, list[int]] = {}
        self._ahead = self._tables()
        self._moments = self._literals()
        self._calm: dict[tuple[int, int, int], bool] = {}
        self._disturb: dict[int, Bytes] = {}
        self._work = self._workloads()

    # ---- least time to the goal ----

    def least(self, state: int, running: Running) -> int | None:
        """Return units that pass at least until the goal is reached; None: it never is."""
        at = np.full(self.count + 1, NEVER, np.int64)
        at[: self.count][self._array(self._projected(state))] = 0
        end = 0
        work = 0
        coming = state
        for process, slot, left in running:
            until = max(0, left) + self.p.all[process].least(slot + 1)
            end = max(end, until)
            work += until
            for moment in self.p.all[process].slots[-1].moments:
                adds = self.p.moments[moment].adds
                coming |= adds
                facts = self._array(self._projected(adds))
                np.minimum.at(at, np.flatnonzero(facts), until)
        soonest(self._ahead, at)
        for ways in self.p.goal:
            first = min((self._latest(at, way) for way in ways), default=NEVER)
            if first >= NEVER:
                return None
            end = max(end, first)
        return max(end, self._shared(work, coming))

    def _latest(self, at: Ints, way: int) -> int:
        facts = self._array(self._projected(way))
        return int(at[: self.count][facts].max()) if facts.any() else 0

    def _shared(self, work: int, coming: int) -> int:
        """Return how long the agents need together for what has to be done at least."""
        if not self.p.exclusive or not self._work:
            return 0
        taken = 0
        for way, makers, least in self._work:
            if coming & way != way and not makers & taken:
                taken |= makers
                work += least
        return -(-work // len(self.p.agents))

    def _workloads(self) -> list[tuple[int, int, int]]:
        """Return for each goal without alternatives who can achieve it, and the least work of that."""
        if not self.p.agents or any(p.agents == 0 for p in self.p.all):
            return []
        loads = []
        for ways in self.p.goal:
            if len(ways) != 1 or not ways[0]:
                continue
            for bit in bits_of(ways[0]):
                fact = 1 << bit
                makers, least = 0, NEVER
                for number, process in enumerate(self.p.all):
                    steps = [process.start, *(m for s in process.slots for m in s.moments)]
                    if any(self.p.moments[m].adds & fact for m in steps):
                        makers |= 1 << number
                        least = min(least, process.least() * process.agents.bit_count())
                if makers:
                    loads.append((fact, makers, least))
        return sorted(loads, key=lambda load: (load[1].bit_count(), -load[2]))

    # ---- what may start ----

    def startable(self, state: int) -> list[int]:
        """Return the processes whose start is possible."""
        known = self._starts.get(state)
        if known is None:
            known = []
            for process in self._watch.get(-1, ()):
                if self.p.moments[self.p.all[process].start].possible(state):
                    known.append(process)
            for bit in bits_of(state):
                for process in self._watch.get(bit, ()):
                    if self.p.moments[self.p.all[process].start].possible(state):
                        known.append(process)
            self._starts[state] = known
        return known

    def _watched(self) -> dict[int, list[int]]:
        """Return each process at the fact that fewest of those need which it needs."""
        counts = np.zeros(self.count, np.int64)
        for process in self.p.all:
            for bit in bits_of(self.p.moments[process.start].needs):
                counts[bit] += 1
        watch: dict[int, list[int]] = {}
        for number, process in enumerate(self.p.all):
            bits = list(bits_of(self.p.moments[process.start].needs))
            rarest = min(bits, key=lambda b: (counts[b], b)) if bits else -1
            watch.setdefault(rarest, []).append(number)
        return watch

    # ---- whether waiting with a possible step can be of use ----

    def undisturbed(self, state: int, entry: tuple[int, int, int], moment: int) -> bool:
        """Return whether nothing may happen before a step that it would spoil by coming first."""
        busy = self.p.all[entry[0]].agents
        if not self.p.exclusive or not busy:
            return False
        key = (state, entry[0], entry[1])
        known = self._calm.get(key)
        if known is None:
            holds = np.zeros(2 * self.count, np.uint8)
            true = self._array(state)
            holds[: self.count] = true
            holds[self.count :] = ~true
            made = reachable(self._moments, holds, busy)
            known = not (made & self._disturbing(moment)).any()
            self._calm[key] = known
        return known

    def _disturbing(self, moment: int) -> Bytes:
        """Return for each step whether one that is possible now may not come before it."""
        known = self._disturb.get(moment)
        if known is None:
            step = self.p.moments[moment]
            known = np.array([_spoils(step, other) for other in self.p.moments], np.uint8)
            self._disturb[moment] = known
        return known

    # ---- agents of which the same is said ----

    def signature(self, state: int, running: Running) -> object:
        """Return a key that is equal for states that differ in names of alike agents only."""
        if not self.p.alike:
            return state, running
        doing: dict[int, tuple[int, int, int]] = {}
        rest = []
        for process, slot, left in running:
            agents = self.p.all[process].agents & self._grouped
            if agents.bit_count() == 1:
                doing[agents.bit_length() - 1] = (self._class[process], slot, left)
            elif agents:
                return state, running
            else:
                rest.append((process, slot, left))
        groups = tuple(
            tuple(sorted((self._of(a, state), doing.get(a, (-1, 0, 0))) for a in group))
            for group in self.p.alike
        )
        return state & ~self._about, tuple(rest), groups

    def first_of_alike(self, state: int, agents: int, busy: int) -> bool:
        """Return whether no idle agent before these is just like one of them."""
        for group in self.p.alike:
            for place, agent in enumerate(group):
                if not agents >> agent & 1:
                    continue
                own = self._of(agent, state)
                for other in group[:place]:
                    if not (busy | agents) >> other & 1 and self._of(other, state) == own:
                        return False
        return True

    def _of(self, agent: int, state: int) -> tuple[bool, ...]:
        return tuple(bool(state >> bit & 1) for bit in self._alike_facts[agent])

    def _signatures(self) -> dict[int, list[int]]:
        """Return for each alike agent the facts about it, in the same order for all of a group."""
        places = {fact: n for n, fact in enumerate(self.p.facts)}
        found: dict[int, list[int]] = {}
        for group in self.p.alike:
            first = self.p.agents[group[0]]
            for agent in group:
                name = self.p.agents[agent]
                found[agent] = [
                    places[renamed(fact, {first: name})]
                    for fact in self.p.facts
                    if first in fact[1:]
                ]
        return found

    @functools.cached_property
    def _first(self) -> dict[Term, Term]:
        return {
            self.p.agents[agent]: self.p.agents[group[0]]
            for group in self.p.alike
            for agent in group
        }

    def _classes(self) -> list[int]:
        """Return a number for each process, the same for those that differ in alike agents only."""
        numbers: dict[Fact, int] = {}
        found = []
        for process in self.p.all:
            plain = renamed(self.p.moments[process.start].head, self._first)
            found.append(numbers.setdefault(plain, len(numbers)))
        return found

    # ---- tables ----

    def _projected(self, state: int) -> int:
        """Return a state in which what holds of one alike agent holds of the first of its group."""
        about = state & self._about
        if not about:
            return state
        for group in self.p.alike:
            for agent in group[1:]:
                for first, own in zip(
                    self._alike_facts[group[0]], self._alike_facts[agent], strict=True
                ):
                    if state >> own & 1:
                        state = state & ~(1 << own) | 1 << first
        return state

    def _array(self, state: int) -> Ints:
        raw = np.frombuffer(state.to_bytes(self.bytes, "little"), np.uint8)
        return np.unpackbits(raw, count=self.count, bitorder="little").astype(bool)

    def _tables(self) -> Ahead:
        rows: dict[tuple[int, int, int, int], int] = {}
        for process in self.p.all:
            start = self.p.moments[process.start]
            for moment in process.slots[-1].moments:
                end = self.p.moments[moment]
                row = (start.needs, start.adds, end.adds, process.least())
                needs, soon, late = map(self._projected, row[:3])
                rows.setdefault((needs, soon, late, row[3]), len(rows))
        needed = [list(bits_of(row[0])) for row in rows]
        return Ahead(
            np.array([len(n) for n in needed], np.int64),
            _turned(needed, self.count + 1),
            _table(list(bits_of(row[1])) for row in rows),
            _table(list(bits_of(row[2])) for row in rows),
            np.array([row[3] for row in rows], np.int64),
        )

    def _literals(self) -> Moments:
        needs, makes = [], []
        for moment in self.p.moments:
            needs.append(
                [*bits_of(moment.needs), *(self.count + b for b in bits_of(moment.forbids))]
            )
            gone = moment.deletes & ~moment.adds
            makes.append([*bits_of(moment.adds), *(self.count + b for b in bits_of(gone))])
        return Moments(
            np.array([len(n) for n in needs], np.int64),
            _turned(needs, 2 * self.count),
            _table(makes),
            np.array([m.agents for m in self.p.moments], np.int64),
        )


def _spoils(step: Moment, other: Moment) -> bool:
    """Return whether a step that is possible may spoil something by coming before another one."""
    gone = step.deletes & ~step.adds
    lost = other.deletes & ~other.adds
    return bool(
        other.needs & gone or other.forbids & step.adds or lost & step.adds or other.adds & gone
    )


def _table(rows: Iterable[Sequence[int]]) -> Table:
    listed = list(rows)
    first = np.zeros(len(listed) + 1, np.int64)
    first[1:] = np.cumsum([len(row) for row in listed])
    return Table(first, np.array([n for row in listed for n in row], np.int64))


def _turned(rows: Sequence[Sequence[int]], width: int) -> Table:
    """Return which rows hold each number."""
    turned: list[list[int]] = [[] for _ in range(width)]
    for number, row in enumerate(rows):
        for entry in row:
            turned[entry].append(number)
    return _table(turned)
