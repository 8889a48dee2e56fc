"""Compiled looks ahead from a state of processes, without deletions: how soon, and what may happen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bytes, Ints
from commonground.compiled import compiled

NEVER = 1 << 40


class Table(NamedTuple):
    """Rows of numbers one after the other; row ``i`` begins at ``first[i]``."""

    first: Ints
    entry: Ints


class Ahead(NamedTuple):
    """Processes with what they need and what they add at their start and at their end."""

    needs: Ints
    """How many facts each needs."""
    users: Table
    """Fact → processes that need it."""
    soon: Table
    """Process → facts that its start adds."""
    late: Table
    """Process → facts that its end adds."""
    lasts: Ints


@compiled
def soonest(ahead: Ahead, at: Ints) -> None:
    """Lower the times at which facts may hold first, given those from which on some do."""
    left = ahead.needs.copy()
    done = np.zeros(len(at), np.uint8)
    stack = np.empty(len(at), np.int64)
    for process in range(len(left)):
        if left[process] == 0:
            _fire(ahead, at, process, 0)
    now = _next(at, done)
    while now < NEVER:
        high = 0
        for fact in range(len(at)):
            high = _take(fact, now, at, done, stack, high)
        while high > 0:
            high -= 1
            fact = stack[high]
            for i in range(ahead.users.first[fact], ahead.users.first[fact + 1]):
                process = ahead.users.entry[i]
                left[process] -= 1
                if left[process] == 0:
                    _fire(ahead, at, process, now)
                    for j in range(ahead.soon.first[process], ahead.soon.first[process + 1]):
                        high = _take(ahead.soon.entry[j], now, at, done, stack, high)
        now = _next(at, done)


@compiled
def _next(at: Ints, done: Bytes) -> int:
    """Return the earliest time of a fact that was not looked at."""
    now = NEVER
    for fact in range(len(at)):
        if done[fact] == 0 and at[fact] < now:
            now = at[fact]
    return now


@compiled
def _take(fact: int, now: int, at: Ints, done: Bytes, stack: Ints, high: int) -> int:
    """Put a fact that holds by now on the stack, once; return the height of the stack."""
    if done[fact] == 0 and at[fact] <= now:
        done[fact] = 1
        stack[high] = fact
        return high + 1
    return high


@compiled
def _fire(ahead: Ahead, at: Ints, process: int, now: int) -> None:
    """Let a process that may start now add what it adds."""
    for j in range(ahead.soon.first[process], ahead.soon.first[process + 1]):
        added = ahead.soon.entry[j]
        at[added] = min(at[added], now)
    for j in range(ahead.late.first[process], ahead.late.first[process + 1]):
        added = ahead.late.entry[j]
        at[added] = min(at[added], now + ahead.lasts[process])


class Moments(NamedTuple):
    """Steps with what they need and change; literals are facts, and after them facts that do not hold."""

    needs: Ints
    users: Table
    """Literal → steps that need it."""
    makes: Table
    """Step → literals that it makes true."""
    agents: Ints
    """Bits of the agents of each step."""


@compiled
def reachable(moments: Moments, holds: Bytes, busy: int) -> Bytes:
    """Return which steps without some agents may ever be made from a state, by such steps alone."""
    left = moments.needs.copy()
    made = np.zeros(len(left), np.uint8)
    known = holds.copy()
    stack = np.empty(len(known) + 1, np.int64)
    high = 0
    for literal in range(len(known)):
        if known[literal] != 0:
            stack[high] = literal
            high += 1
    for step in range(len(left)):
        if left[step] == 0 and moments.agents[step] & busy == 0:
            made[step] = 1
            high = _make(moments, known, stack, high, step)
    while high > 0:
        high -= 1
        literal = stack[high]
        for i in range(moments.users.first[literal], moments.users.first[literal + 1]):
            step = moments.users.entry[i]
            left[step] -= 1
            if left[step] == 0 and moments.agents[step] & busy == 0:
                made[step] = 1
                high = _make(moments, known, stack, high, step)
    return made


@compiled
def _make(moments: Moments, known: Bytes, stack: Ints, high: int, step: int) -> int:
    """Note the literals that a step makes true; return the height of the stack of new ones."""
    for j in range(moments.makes.first[step], moments.makes.first[step + 1]):
        literal = moments.makes.entry[j]
        if known[literal] == 0:
            known[literal] = 1
            stack[high] = literal
            high += 1
    return high
