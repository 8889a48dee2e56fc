"""Compiled walk through all states between rounds in which agents begin and end at the same time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Ints
from commonground.compiled import compiled

FOUND, NONE, CUT = 0, 1, 2
MOST_NUMBERS = 1 << 25
"""Most numbers of all states, or of all choices in one round, that are kept: 256 MB."""


class Moves(NamedTuple):
    """What each process needs, takes at its start and gives at its end, as rows of words of bits."""

    needs: Ints
    takes: Ints
    gives: Ints
    agents: Ints
    """Bits of its agents."""
    first: Ints
    """Place of the first process in ``order`` watched at each fact; the last row: at none."""
    order: Ints


class Walk(NamedTuple):
    """States in the order in which they were found."""

    status: int
    rounds: int
    """Rounds to the goal, or of which all were looked at."""
    states: Ints
    parent: Ints
    chosen: Ints
    """For each state and agent the process that led there; -1: none."""
    last: int
    """The state that reaches the goal."""
    work: int


@compiled
def walk(moves: Moves, init: Ints, ways: Ints, group: Ints, agents: int, most: int) -> Walk:
    """Walk through what rounds of processes lead to until the goal holds, for so much work at most."""
    states = np.zeros((1024, len(init)), np.int64)
    parent = np.full(1024, -1, np.int64)
    chosen = np.full((1024, agents), -1, np.int64)
    table = np.full(4096, -1, np.int64)
    options = np.empty(len(moves.agents) + 1, np.int64)
    states[0] = init
    _is_new(table, states, 0)
    count, begin, end, rounds, work = 1, 0, 1, 0, 0
    width = 2 * (len(init) + agents) + 6
    while begin < end:
        for number in range(begin, end):
            if _reached(states[number], ways, group):
                return Walk(FOUND, rounds, states, parent, chosen, number, work)
        for number in range(begin, end):
            many = _possible(moves, states[number], options)
            room = min(most - work, MOST_NUMBERS // (4 * agents))
            rows = _picked(moves, options[:many], agents, room)
            work += many + len(rows)
            if work > most or len(rows) > room or count * width > MOST_NUMBERS:
                return Walk(CUT, rounds, states, parent, chosen, -1, work)
            while count + len(rows) > len(states):
                states, parent, chosen = _grown(states, parent, chosen)
            if 2 * (count + len(rows)) > len(table):
                table = _rebuilt(states, count, 4 * (count + len(rows)))
            for row in range(len(rows)):
                _end(moves, states[number], rows[row], states[count])
                if _is_new(table, states, count):
                    parent[count] = number
                    chosen[count] = rows[row]
                    count += 1
        begin, end = end, count
        rounds += 1
    return Walk(NONE, rounds, states, parent, chosen, -1, work)


@compiled
def _picked(moves: Moves, options: Ints, agents: int, most: int) -> Ints:
    """Return all choices of processes that go together, each at the first of its agents, or too many."""
    rows = np.full((256, agents), -1, np.int64)
    count = 1
    for agent in range(agents):
        bits = moves.agents[options]
        own = options[bits & -bits == 1 << agent]
        for row in range(count):
            for process in own:
                if _goes(moves, process, rows[row, :agent]):
                    if count == len(rows):
                        more = np.full((2 * count, agents), -1, np.int64)
                        more[:count] = rows
                        rows = more
                    rows[count] = rows[row]
                    rows[count, agent] = process
                    count += 1
                    if count > most:
                        return rows[:count]
    return rows[:count]


@compiled
def _goes(moves: Moves, process: int, others: Ints) -> bool:
    """Return whether a process shares no agent, takes what no other takes, and has its place in the order.

    What needs a fact begins before what takes it, so they cannot wait for each other in a circle.
    """
    needs, takes = moves.needs, moves.takes
    behind, more = 0, True
    while more:
        more = False
        for place, other in enumerate(others):
            if other < 0 or behind >> place & 1:
                continue
            if moves.agents[process] & moves.agents[other] or _meet(takes, takes, process, other):
                return False
            late = _meet(needs, takes, process, other)
            for i, before in enumerate(others):
                late |= behind >> i & 1 == 1 and _meet(needs, takes, before, other)
            if late and _meet(needs, takes, other, process):
                return False
            behind |= late << place
            more |= late
    return True


@compiled
def _meet(one: Ints, other: Ints, first: int, second: int) -> bool:
    """Return whether two rows of bits have one in common."""
    common = 0
    for w in range(one.shape[1]):
        common |= one[first, w] & other[second, w]
    return common != 0


@compiled
def _end(moves: Moves, state: Ints, row: Ints, after: Ints) -> None:
    """Write what holds after a round."""
    after[:] = state
    for process in row:
        if process >= 0:
            for w in range(len(after)):
                after[w] &= ~moves.takes[process, w]
    for process in row:
        if process >= 0:
            for w in range(len(after)):
                after[w] |= moves.gives[process, w]


@compiled
def _possible(moves: Moves, state: Ints, options: Ints) -> int:
    """List the processes whose needs hold; return how many they are."""
    many = 0
    facts = len(moves.first) - 2
    for fact in range(facts + 1):
        if fact < facts and state[fact >> 5] >> (fact & 31) & 1 == 0:
            continue
        for i in range(moves.first[fact], moves.first[fact + 1]):
            process = moves.order[i]
            lacks = 0
            for w in range(len(state)):
                lacks |= moves.needs[process, w] & ~state[w]
            if lacks == 0:
                options[many] = process
                many += 1
    return many


@compiled
def _is_new(table: Ints, states: Ints, number: int) -> bool:
    """Put a state into the table unless it is known; return whether it was not."""
    mask = len(table) - 1
    slot = _hash(states[number]) & mask
    while table[slot] >= 0:
        same = True
        for w in range(states.shape[1]):
            same &= states[table[slot], w] == states[number, w]
        if same:
            return False
        slot = (slot + 1) & mask
    table[slot] = number
    return True


@compiled
def _rebuilt(states: Ints, count: int, least: int) -> Ints:
    """Return a larger table of the first states."""
    size = 4096
    while size < least:
        size *= 2
    table = np.full(size, -1, np.int64)
    for number in range(count):
        _is_new(table, states, number)
    return table


@compiled
def _grown(states: Ints, parent: Ints, chosen: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the arrays at twice their length."""
    size = len(states)
    more = np.zeros((2 * size, states.shape[1]), np.int64)
    more[:size] = states
    parents = np.full(2 * size, -1, np.int64)
    parents[:size] = parent
    choices = np.full((2 * size, chosen.shape[1]), -1, np.int64)
    choices[:size] = chosen
    return more, parents, choices


@compiled
def _hash(state: Ints) -> int:
    value = 1469598103934665603
    for w in range(len(state)):
        value = ((value ^ state[w]) * 1099511628211) & 0x7FFFFFFFFFFFFFFF
        value ^= value >> 29
    return value


@compiled
def _reached(state: Ints, ways: Ints, group: Ints) -> bool:
    """Return whether one way of each group of the goal holds."""
    held = 0
    for i in range(len(group)):
        lacks = 0
        for w in range(len(state)):
            lacks |= ways[i, w] & ~state[w]
        if lacks == 0:
            held |= 1 << group[i]
    wanted = 0
    for i in range(len(group)):
        wanted |= 1 << group[i]
    return held == wanted
