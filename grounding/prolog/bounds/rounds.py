"""The shortest execution of processes that all take equally long, found by rounds.

If nothing is forbidden, each process needs and takes all at its start and gives what it gives at its end,
and nothing that it gives can hold while it runs, then every execution can be moved so that processes begin
at whole multiples of their duration only: what ended before something began still does, and what ends
earlier than before only adds to what holds. So all executions are walked through round by round
(`_round_kernels.py`), and how many rounds the goal takes is how long every plan takes at least. Whether all
that is so is proven here from the processes; where it is not, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Ints
from commonground.grounding.prolog.bounds._round_kernels import FOUND, NONE, Moves, Walk, walk
from commonground.grounding.prolog.bounds.epochs import Event, Execution, needed_events
from commonground.grounding.prolog.bounds.exclusion import Exclusion
from commonground.grounding.prolog.bounds.process import Process, Processes, bits_of
from commonground.planning.result import Status

WORD = 32
"""Bits of a state in one number."""


@dataclass(frozen=True, slots=True)
class Move:
    """A process as one step: what it needs and takes at its start, and what it gives at its end."""

    needs: int
    takes: int
    gives: int
    inner: int
    """Facts that hold only while it runs."""
    lasts: int
    composed: bool
    """Whether its start is more than one step."""


def in_rounds(processes: Processes, most: int) -> Execution | None:
    """Return the shortest execution after so much work at most; None: rounds are not all there is."""
    moves = _moves(processes)
    if not moves or not _apart(processes, moves):
        return None
    found = _walked(processes, moves, most)
    bound = processes.seconds(found.rounds * moves[0].lasts)
    if found.status == FOUND:
        events = tuple(
            (processes.seconds(time), processes.moments[moment].head, process)
            for time, moment, process in needed_events(processes, _events(processes, moves, found))
        )
        return Execution(Status.SOLVED, bound, bound, events, found.work)
    if found.status == NONE:
        return Execution(Status.UNSOLVABLE, states=found.work)
    return Execution(Status.NOT_FOUND, bound, states=found.work)


# ---- what each process comes to ---------------------------------------------------------------------


def _moves(processes: Processes) -> list[Move]:
    """Return each process as one step; none if one is not, or if they do not all take equally long."""
    moves: list[Move] = []
    for process in processes.all:
        move = _move(processes, process)
        if move is None or process.agents == 0 or (moves and moves[0].lasts != move.lasts):
            return []
        moves.append(move)
    if not moves or moves[0].lasts <= 0 or not _private(processes, moves):
        return []
    return moves


def _move(processes: Processes, process: Process) -> Move | None:
    lasts = process.least()
    steps = [(process.start, 0), *_timed(process)]
    needs = takes = made = inner = 0
    for number, at in steps:
        moment = processes.moments[number]
        needs |= moment.needs & ~made
        taken = moment.deletes & ~moment.adds & ~made
        early = moment.adds & ~moment.deletes if at < lasts else 0
        late = at > 0 and taken | moment.needs & ~made
        if moment.forbids or taken & ~needs or late:
            return None
        inner |= early | made & moment.deletes
        takes |= taken
        made = made & ~moment.deletes | moment.adds
    if any(len(slot.moments) != 1 for slot in process.slots) or made & inner:
        return None
    return Move(needs, takes, made, inner, lasts, sum(at == 0 for _, at in steps) > 1)


def _timed(process: Process) -> Iterator[tuple[int, int]]:
    """Yield the steps of a process after its start, with the time since then."""
    at = 0
    for slot in process.slots:
        at += slot.wait
        yield slot.moments[0], at


def _private(processes: Processes, moves: Sequence[Move]) -> bool:
    """Return whether what holds only while a process runs matters to nothing but processes of its agent."""
    others = processes.init
    for ways in processes.goal:
        for way in ways:
            others |= way
    owners: dict[int, int] = {}
    for process, move in zip(processes.all, moves, strict=True):
        others |= move.needs | move.gives
        for bit in bits_of(move.inner):
            owners[bit] = owners.get(bit, -1) & process.agents
    return all(owner and not others >> bit & 1 for bit, owner in owners.items())


# ---- whether rounds are all there is ----------------------------------------------------------------


def _apart(processes: Processes, moves: Sequence[Move]) -> bool:
    """Return whether nothing that a process gives can hold while it runs, and nothing it rests on be lost.

    What takes a fact that a process of several steps only needs has to need what the process keeps away.
    """
    if not _one_at_a_time(processes, moves):
        return False
    exclusion = Exclusion(processes, [(m.takes, m.gives) for m in moves])
    common: dict[int, int] = {}
    for move in moves:
        for bit in bits_of(move.takes):
            common[bit] = common.get(bit, -1) & move.needs
    for number, move in enumerate(moves):
        if not all(exclusion.excludes(number, bit) for bit in bits_of(move.gives)):
            return False
        if not move.composed:
            continue
        for bit in bits_of(move.needs & ~move.takes):
            kept = common.get(bit)
            if kept is not None and not any(exclusion.excludes(number, b) for b in bits_of(kept)):
                return False
    return True


def _one_at_a_time(processes: Processes, moves: Sequence[Move]) -> bool:
    """Return whether each agent has something that all its processes take."""
    kept = dict.fromkeys(range(len(processes.agents)), -1)
    for process, move in zip(processes.all, moves, strict=True):
        for agent in bits_of(process.agents):
            kept[agent] &= move.takes
    return all(kept.values())


# ---- walking ----------------------------------------------------------------------------------------


def _walked(processes: Processes, moves: Sequence[Move], most: int) -> Walk:
    count = len(processes.facts)
    words = count // WORD + 1
    rarest = _rarest(moves, count)
    order = np.argsort(rarest, kind="stable")
    first = np.searchsorted(rarest[order], np.arange(count + 2))
    ways = [(number, way) for number, ways in enumerate(processes.goal) for way in ways]
    return walk(
        Moves(
            _rows((m.needs for m in moves), words),
            _rows((m.takes for m in moves), words),
            _rows((m.gives for m in moves), words),
            np.array([p.agents for p in processes.all], np.int64),
            first.astype(np.int64),
            order.astype(np.int64),
        ),
        _rows([processes.init], words)[0],
        _rows((way for _, way in ways), words),
        np.array([number for number, _ in ways], np.int64),
        len(processes.agents),
        most,
    )


def _rarest(moves: Sequence[Move], count: int) -> Ints:
    """Return for each process the fact that fewest of those need which it needs; ``count``: none."""
    users = np.zeros(count + 1, np.int64)
    needs = [list(bits_of(move.needs)) for move in moves]
    for bits in needs:
        users[bits] += 1
    return np.array(
        [min(bits, key=lambda b: (users[b], b), default=count) for bits in needs], np.int64
    )


def _rows(values: Iterable[int], words: int) -> Ints:
    mask = (1 << WORD) - 1
    listed = [[value >> WORD * w & mask for w in range(words)] for value in values]
    return np.array(listed, np.int64).reshape(-1, words)


def _events(processes: Processes, moves: Sequence[Move], found: Walk) -> list[Event]:
    """Return the steps of a walk, each with the number of its process in the execution."""
    rounds = []
    state = found.last
    while state > 0:
        rounds.append([int(p) for p in found.chosen[state] if p >= 0])
        state = int(found.parent[state])
    events: list[Event] = []
    count = 0
    for number, chosen in enumerate(reversed(rounds)):
        begin = number * moves[0].lasts
        steps = []
        for place, process in enumerate(_ordered(chosen, moves)):
            entry = processes.all[process]
            for step, (moment, at) in enumerate([(entry.start, 0), *_timed(entry)]):
                steps.append((begin + at, place, step, moment))
        events += [(time, moment, count + place) for time, place, _, moment in sorted(steps)]
        count += len(chosen)
    return events


def _ordered(chosen: Sequence[int], moves: Sequence[Move]) -> list[int]:
    """Return the processes of a round so that what one only needs is taken after it began."""
    left, found = list(chosen), []
    while left:
        free = (p for p in left if not any(moves[q].needs & moves[p].takes for q in left if q != p))
        found.append(next(free))
        left.remove(found[-1])
    return found
