"""The shortest execution of processes: a search over all of them, from one end of something to the next.

Without longest durations every execution can be moved so far to the front that each step is made at the
beginning or right when some process reaches its next step, so no others are looked at (Cushing et al. 2007).
States are taken up by the least makespan that they may lead to (A*), so what is left open bounds all plans.
How far is looked is counted in states: the answer is the same on a machine that has other things to do.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from commonground.grounding.prolog.lookahead import Lookahead
from commonground.grounding.prolog.process import Processes
from commonground.grounding.prolog.relations import Fact
from commonground.planning.result import Status

Running = tuple[tuple[int, int, int], ...]
"""(process, its next slot, units until then at least) of all that runs, sorted."""
Event = tuple[int, int, int]
"""Time in units, number of a step, and which process of the execution it belongs to."""


@dataclass(frozen=True, slots=True)
class Execution:
    """The shortest execution, a proof that there is none, or how short one can be at best."""

    status: Status
    bound_s: float = 0.0
    """No execution is shorter."""
    makespan_s: float = float("inf")
    events: tuple[tuple[float, Fact, int], ...] = ()
    """(time, step, number of its process) in the order in which they are made."""
    states: int = 0
    """How many states were looked at."""


@dataclass(slots=True)
class _Node:
    state: int
    running: Running
    time: int
    parent: int
    event: int = -1
    """The step that led here; -1: time passed."""
    process: int = -1


@dataclass(slots=True)
class _Search:
    processes: Processes
    most: int
    ahead: Lookahead
    limits: bool = False
    """Whether what may not take as long as it likes does not."""
    nodes: list[_Node] = field(default_factory=list)
    best: dict[object, int] = field(default_factory=dict)
    queue: list[tuple[int, int, int]] = field(default_factory=list)
    looked: int = 0
    grid: int = 1
    order: Iterator[int] = field(default_factory=lambda: itertools.count(0, -1))


def shortest(processes: Processes, most: int, *, limits: bool = False) -> Execution:
    """Return the shortest execution, looking at so many states at most.

    Without ``limits`` everything may take longer than it does at most, which is never a longer execution.
    """
    search = _Search(processes, most, Lookahead(processes), limits, grid=processes.grid)
    _push(search, _Node(processes.init, (), 0, -1))
    bound = 0
    while search.queue:
        least, _, number = heapq.heappop(search.queue)
        bound = max(bound, least)
        node = search.nodes[number]
        if search.best[_key(search, node)] < node.time:
            continue
        if not node.running and processes.reached(node.state):
            events = tuple(
                (processes.seconds(time), processes.moments[moment].head, process)
                for time, moment, process in needed_events(processes, _events(search, number))
            )
            makespan = processes.seconds(node.time)
            return Execution(Status.SOLVED, makespan, makespan, events, search.looked)
        if search.looked >= most:
            return Execution(Status.NOT_FOUND, processes.seconds(bound), states=search.looked)
        search.looked += 1
        for child in _children(search, number):
            _push(search, child)
    return Execution(Status.UNSOLVABLE, states=search.looked)


def _push(search: _Search, node: _Node) -> None:
    key = _key(search, node)
    known = search.best.get(key)
    if known is not None and known <= node.time:
        return
    search.best[key] = node.time
    left = search.ahead.least(node.state, node.running)
    if left is None:
        return
    search.nodes.append(node)
    number = len(search.nodes) - 1
    # among equally promising states the one that is furthest, and then the newest
    heapq.heappush(search.queue, (node.time + left, next(search.order), number))


def _key(search: _Search, node: _Node) -> object:
    """Return a state up to exchanging agents of which the same is said."""
    return search.ahead.signature(node.state, node.running)


def _children(search: _Search, number: int) -> Iterator[_Node]:
    node = search.nodes[number]
    due = [entry for entry in node.running if entry[2] <= 0]
    for entry in due:
        steps = list(_steps(search, number, entry))
        early = not (search.limits and _limited(search, entry[0], entry[1] + 1))
        if steps and early and search.ahead.undisturbed(node.state, entry, steps[0].event):
            yield from steps
            return
    for entry in due:
        yield from _steps(search, number, entry)
    yield from _starts(search, number)
    yield from _in_time(search, number) if search.limits else _later(node, number)


def _limited(search: _Search, process: int, slot: int) -> bool:
    slots = search.processes.all[process].slots
    return slot < len(slots) and slots[slot].slack is not None


def _steps(search: _Search, number: int, entry: tuple[int, int, int]) -> Iterator[_Node]:
    """Yield what follows if a process makes its next step."""
    node, moments = search.nodes[number], search.processes.moments
    process, slot, _ = entry
    slots = search.processes.all[process].slots
    rest = [e for e in node.running if e is not entry]
    for moment in slots[slot].moments:
        if moments[moment].possible(node.state):
            running = list(rest)
            if slot + 1 < len(slots):
                running.append((process, slot + 1, slots[slot + 1].wait))
            state = moments[moment].after(node.state)
            yield _Node(state, tuple(sorted(running)), node.time, number, moment, process)


def _starts(search: _Search, number: int) -> Iterator[_Node]:
    node, processes = search.nodes[number], search.processes
    busy = 0
    runs = set()
    for process, _, _ in node.running:
        runs.add(process)
        busy |= processes.all[process].agents
    for process in search.ahead.startable(node.state):
        entry = processes.all[process]
        if process in runs or (processes.exclusive and entry.agents & busy):
            continue
        if not search.ahead.first_of_alike(node.state, entry.agents, busy):
            continue
        state = processes.moments[entry.start].after(node.state)
        running = tuple(sorted((*node.running, (process, 0, entry.slots[0].wait))))
        yield _Node(state, running, node.time, number, entry.start, process)


def _later(node: _Node, number: int) -> Iterator[_Node]:
    """Yield the next instant at which a process reaches its next step."""
    waits = [left for _, _, left in node.running if left > 0]
    if waits:
        step = min(waits)
        running = tuple(sorted((p, s, max(0, left - step)) for p, s, left in node.running))
        yield _Node(node.state, running, node.time + step, number)


def _in_time(search: _Search, number: int) -> Iterator[_Node]:
    """Yield the next point of the grid, unless something would then take longer than it may.

    What begins later may have to, so every point counts, whether or not anything is due there.
    """
    node, step = search.nodes[number], search.grid
    running = []
    for process, slot, left in node.running:
        slack = search.processes.all[process].slots[slot].slack
        if slack is not None and left - step < -slack:
            return
        running.append((process, slot, max(0, left - step) if slack is None else left - step))
    if running:
        yield _Node(node.state, tuple(sorted(running)), node.time + step, number)


def _events(search: _Search, number: int) -> list[Event]:
    """Return the steps that led to a node, each with the number of its process in the execution."""
    path = []
    while number >= 0:
        path.append(search.nodes[number])
        number = search.nodes[number].parent
    events: list[Event] = []
    current: dict[int, int] = {}
    count = itertools.count()
    for node in reversed(path):
        if node.event < 0:
            continue
        if node.event == search.processes.all[node.process].start:
            current[node.process] = next(count)
        events.append((node.time, node.event, current[node.process]))
    return events


def needed_events(processes: Processes, events: list[Event]) -> list[Event]:
    """Return the steps without processes that the goal does not need, the last ones left out first."""
    for process in sorted({process for _, _, process in events}, reverse=True):
        fewer = [event for event in events if event[2] != process]
        if _works(processes, fewer):
            events = fewer
    return events


def _works(processes: Processes, events: list[Event]) -> bool:
    """Return whether steps can be made in their order and reach the goal."""
    state = processes.init
    for _, number, _ in events:
        if not processes.moments[number].possible(state):
            return False
        state = processes.moments[number].after(state)
    return processes.reached(state)
