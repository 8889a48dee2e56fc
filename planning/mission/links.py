"""Causal links: which task rests on what, so that a surprise tells which tasks it breaks, and which not.

Links are those of partial-order planning (McAllester and Rosenblitt, 1991): a task that needs a fact rests on
the last task before it that makes the fact true, or on the world as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from commonground.planning.mission.task import Fact, Task


class Link(NamedTuple):
    """A task rests on a fact that another one brings about."""

    producer: str
    """Key of a task; empty for the world as it was when the plan was made."""
    fact: Fact
    consumer: str


def causal_links(tasks: Iterable[Task]) -> tuple[Link, ...]:
    """Return the links of a plan, tasks taken in the order in which they begin."""
    made: dict[Fact, str] = {}
    links = []
    for task in _in_time(tasks):
        links += [Link(made.get(fact, ""), fact, task.key) for fact in sorted(task.needs)]
        made |= dict.fromkeys(task.adds, task.key)
    return tuple(links)


def broken_by(links: Iterable[Link], fact: Fact, open_tasks: frozenset[str]) -> list[str]:
    """Return the open tasks that rest on a fact which turned out false, unless an open task brings it."""
    return [
        link.consumer
        for link in links
        if link.fact == fact and link.consumer in open_tasks and link.producer not in open_tasks
    ]


def waits_of(tasks: Sequence[Task]) -> dict[str, frozenset[str]]:
    """Return task → tasks of other robots that come before it.

    Those are the ones whose work it needs, and those which need what it makes false.
    """
    ordered = _in_time(tasks)
    robot = {t.key: t.robot for t in ordered}
    waits: dict[str, set[str]] = {t.key: set() for t in ordered}
    for link in causal_links(ordered):
        if link.producer and robot[link.producer] != robot[link.consumer]:
            waits[link.consumer].add(link.producer)
    users: dict[Fact, list[str]] = {}
    for task in ordered:
        for fact in task.drops:
            waits[task.key] |= {u for u in users.get(fact, ()) if robot[u] != task.robot}
        for fact in task.needs:
            users.setdefault(fact, []).append(task.key)
    return {key: frozenset(before) for key, before in waits.items()}


def _in_time(tasks: Iterable[Task]) -> list[Task]:
    return sorted(tasks, key=lambda t: (t.start_s, t.end_s))
