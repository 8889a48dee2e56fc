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

from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.bounds.lookahead import Lookahead
from commonground.grounding.prolog.bounds.process import Process, Processes, bits_of
from commonground.planning.result import Status

Running = tuple[tuple[int, int, int], ...]
"""(process, its next slot, units until then at least) of all that runs, sorted."""
Idle = tuple[tuple[int, str, int], ...]
"""(agent, what it did last, units since) of agents that are not set up for everything, sorted."""
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
    idle: Idle = ()
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
    gaps: dict[str, list[int]] = field(default_factory=dict)
    """Action → units after it that something else may have to wait for."""
    order: Iterator[int] = field(default_factory=lambda: itertools.count(0, -1))


def shortest(processes: Processes, most: int, *, limits: bool = False) -> Execution:
    """Return the shortest execution, looking at so many states at most.

    Without ``limits`` everything may take longer than it does at most, which is never a longer execution.
    """
    search = _Search(processes, most, Lookahead(processes), limits, grid=processes.grid)
    for (before, _), gap in processes.setups.items():
        search.gaps.setdefault(before, []).append(gap)
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
        for child in _children(search, number):
            _push(search, child)
    return Execution(Status.UNSOLVABLE, states=search.looked)


def _push(search: _Search, node: _Node) -> None:
    key = _key(search, node)
    known = search.best.get(key)
    if known is not None and known <= node.time:
        return
    search.best[key] = node.time
    search.looked += 1
    left = search.ahead.least(node.state, node.running)
    if left is None:
        return
    search.nodes.append(node)
    number = len(search.nodes) - 1
    # among equally promising states the one that is furthest, and then the newest
    heapq.heappush(search.queue, (node.time + left, next(search.order), number))


def _key(search: _Search, node: _Node) -> object:
    """Return a state up to exchanging agents of which the same is said."""
    return search.ahead.signature(node.state, node.running), node.idle


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
    yield from _in_time(search, number) if search.limits else _later(search, number)


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
            idle = node.idle
            if slot + 1 < len(slots):
                running.append((process, slot + 1, slots[slot + 1].wait))
            else:
                idle = tuple(sorted((*idle, *_idle(search, process))))
            state = moments[moment].after(node.state)
            yield _Node(state, tuple(sorted(running)), node.time, number, idle, moment, process)


def _idle(search: _Search, process: int) -> Iterator[tuple[int, str, int]]:
    """Yield the agents of a process that ends, as far as they are not set up for all that may follow."""
    if search.gaps:
        name = search.processes.name(search.processes.all[process].start)
        if name in search.gaps:
            yield from ((agent, name, 0) for agent in bits_of(search.processes.all[process].agents))


def _set_up(search: _Search, node: _Node, entry: Process) -> bool:
    """Return whether the agents of a process are set up for it."""
    name = search.processes.name(entry.start)
    return not any(
        entry.agents >> agent & 1 and since < search.processes.setups.get((last, name), 0)
        for agent, last, since in node.idle
    )


def _idle_later(search: _Search, idle: Idle, step: int) -> Idle:
    return tuple(
        (agent, last, since + step)
        for agent, last, since in idle
        if since + step < max(search.gaps[last])
    )


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
        if node.idle and not _set_up(search, node, entry):
            continue
        state = processes.moments[entry.start].after(node.state)
        running = tuple(sorted((*node.running, (process, 0, entry.slots[0].wait))))
        idle = tuple(one for one in node.idle if not entry.agents >> one[0] & 1)
        yield _Node(state, running, node.time, number, idle, entry.start, process)


def _later(search: _Search, number: int) -> Iterator[_Node]:
    """Yield the next instant at which a process reaches its next step, or an agent is set up for one."""
    node = search.nodes[number]
    waits = [left for _, _, left in node.running if left > 0]
    waits += [
        gap - since for _, last, since in node.idle for gap in search.gaps[last] if gap > since
    ]
    if waits:
        step = min(waits)
        running = tuple(sorted((p, s, max(0, left - step)) for p, s, left in node.running))
        idle = _idle_later(search, node.idle, step)
        yield _Node(node.state, running, node.time + step, number, idle)


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
    if running or node.idle:
        idle = _idle_later(search, node.idle, step)
        yield _Node(node.state, tuple(sorted(running)), node.time + step, number, idle)


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
        if _works(processes, fewer) and _in_order(processes, fewer):
            events = fewer
    return events


def _in_order(processes: Processes, events: list[Event]) -> bool:
    """Return whether agents have the time between actions that they need."""
    last: dict[int, tuple[str, int]] = {}
    begun: dict[int, tuple[str, int]] = {}
    for time, moment, process in events if processes.setups else ():
        first = process not in begun
        name, agents = begun.setdefault(
            process, (processes.name(moment), processes.moments[moment].agents)
        )
        for agent in bits_of(agents):
            before, ended = last.get(agent, ("", 0))
            if first and time < ended + processes.setups.get((before, name), 0):
                return False
            last[agent] = name, time
    return True


def _works(processes: Processes, events: list[Event]) -> bool:
    """Return whether steps can be made in their order and reach the goal."""
    state = processes.init
    for _, number, _ in events:
        if not processes.moments[number].possible(state):
            return False
        state = processes.moments[number].after(state)
    return processes.reached(state)
