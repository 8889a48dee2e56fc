"""Temporal networks: conflicts that are real, windows that are tight, dispatching that never fails."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import PlanningError
from commonground.planning.temporal import (
    Dispatcher,
    Link,
    Resource,
    TeamProblem,
    TemporalNetwork,
    network_of,
    scattered_tasks,
    solve_team,
)
from commonground.planning.temporal.dispatching import dispatchable

EVENTS = ["begin", "a", "b", "c", "d"]


@st.composite
def networks(draw: st.DrawFn) -> TemporalNetwork:
    """A few events with whole-numbered links, consistent or not."""
    links = []
    for _ in range(draw(st.integers(1, 7))):
        u, v = draw(st.permutations(EVENTS))[:2]
        least = draw(st.integers(-4, 6))
        most = draw(st.one_of(st.just(np.inf), st.integers(least, least + 6)))
        links.append(Link(u, v, float(least), float(most)))
    return TemporalNetwork.of(links)


def holds(link: Link, times: dict[str, float]) -> bool:
    gap = times[link.later] - times[link.earlier]
    return bool(link.least_s - 1e-6 <= gap <= link.most_s + 1e-6)


def brute_force(
    network: TemporalNetwork, latest: int = 40
) -> dict[str, tuple[float, float]] | None:
    """The window of each event by iterating bounds on whole times until nothing changes."""
    low = dict.fromkeys(network.events, 0.0)
    high = {event: 0.0 if event == "begin" else float(latest) for event in network.events}
    for _ in range(latest * len(low) + 5):
        for link in network.links:
            u, v = link.earlier, link.later
            low[v] = max(low[v], low[u] + link.least_s)
            high[u] = min(high[u], high[v] - link.least_s)
            high[v] = min(high[v], high[u] + link.most_s)
            low[u] = max(low[u], low[v] - link.most_s)
    if any(low[e] > high[e] for e in low):
        return None
    return {e: (low[e], high[e]) for e in low}


@settings(max_examples=200, deadline=None)
@given(networks())
def test_conflicts_and_windows_agree_with_bound_propagation(network: TemporalNetwork) -> None:
    truth = brute_force(network)
    conflict = network.conflict()
    assert (truth is None) == bool(conflict)
    if conflict:
        assert set(conflict) <= set(network.links) | {
            link for link in conflict if link.reason == "time begins"
        }
        assert TemporalNetwork.of(conflict).conflict()  # what is named is enough
        assert len(conflict) <= len(network.events)
        with pytest.raises(PlanningError, match="contradict"):
            network.minimal()
        return
    assert truth is not None
    for event, (low, high) in network.minimal().windows().items():
        assert low == truth[event][0]
        assert high == truth[event][1] or (high > 20 and truth[event][1] > 20)


@settings(max_examples=200, deadline=None)
@given(networks(), st.randoms(use_true_random=False))
def test_every_way_of_dispatching_keeps_all_links(network: TemporalNetwork, random: object) -> None:
    if network.conflict():
        return
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    run, now = Dispatcher(network), 0.0
    while not run.done:
        ready = run.ready(now)
        if ready and rng.random() < 0.7:
            run.happened(ready[rng.integers(len(ready))], now)
            continue
        latest = min(run.window(e)[1] for e in network.events if e not in run.times_s)
        soon = run.next_time()
        if soon > now or not ready:
            now = max(now, min(latest, soon + rng.integers(0, 3)))
        elif rng.random() < 0.5:
            now = min(latest, now + 1.0)
        assert not run.overdue(now)
    assert all(holds(link, run.times_s) for link in network.links)
    assert min(run.times_s.values()) >= 0.0


@settings(max_examples=100, deadline=None)
@given(networks())
def test_the_dispatchable_form_means_the_same(network: TemporalNetwork) -> None:
    if network.conflict():
        return
    minimal = network.minimal()
    reduced = dispatchable(minimal)
    assert len(reduced.links) <= len(minimal.events) * (len(minimal.events) - 1) / 2
    assert np.allclose(reduced.minimal().distance, minimal.distance)


def test_a_conflict_names_its_links() -> None:
    network = TemporalNetwork.of(
        [
            Link("begin", "start", 0.0, 5.0, "leave by five"),
            Link("start", "end", 10.0, reason="lasts ten"),
            Link("begin", "end", most_s=12.0, reason="deadline"),
            Link("begin", "start", 3.0, reason="battery"),
        ]
    )
    reasons = {link.reason for link in network.conflict()}
    assert reasons == {"lasts ten", "deadline", "battery"}


def test_delays_are_passed_on_and_windows_move() -> None:
    network = TemporalNetwork.of(
        [Link("begin", "a", 1.0), Link("a", "b", 2.0, 4.0), Link("begin", "b", most_s=10.0)]
    )
    assert network.minimal().windows() == {"begin": (0, 0), "a": (1.0, 8.0), "b": (3.0, 10.0)}
    late = network.delayed("a", 5.0)
    assert late.minimal().window("b") == (8.0, 10.0)
    assert network.happened("a", 2.0).minimal().window("b") == (4.0, 6.0)
    reasons = {link.reason for link in network.delayed("a", 8.0).conflict()}
    assert "delayed by 8 s" in reasons


def test_a_schedule_becomes_a_network_that_reproduces_it() -> None:
    problem = scattered_tasks(12, 3, 2)
    use = tuple((t, 1) for t in range(0, 12, 2))
    for held in (False, True):
        crowded = TeamProblem(
            problem.duration_s,
            problem.approach_s,
            problem.travel_s,
            problem.precedences,
            (Resource("door", use, 1 if not held else 3, held),),
        )
        schedule = solve_team(crowded, iterations=100, time_limit_s=20.0)
        network = network_of(crowded, schedule)
        assert not network.conflict()
        windows = network.minimal().windows()
        for task in range(12):
            assert windows[f"start task {task}"][0] <= schedule.start_s[task] + 1e-6
        run = Dispatcher(network)
        while not run.done:
            now = run.next_time()
            for event in run.ready(now):
                if event in run.ready(now):
                    run.happened(event, now)
        starts = [run.times_s[f"start task {task}"] for task in range(12)]
        ends = [run.times_s[f"end task {task}"] for task in range(12)]
        assert max(ends) <= schedule.makespan_s + 1e-6
        if not held:
            for a, b in itertools.combinations([t for t, _ in use], 2):
                assert ends[a] <= starts[b] + 1e-6 or ends[b] <= starts[a] + 1e-6


def test_longer_tasks_shift_what_follows() -> None:
    problem = TeamProblem.of([2.0, 3.0], np.ones((1, 2)), np.ones((2, 2)), routes=[[0, 1]])
    schedule = solve_team(problem)
    late = network_of(problem, schedule).happened("end task 0", 9.0).minimal()
    assert late.window("start task 1")[0] == 10.0
    fixed = network_of(problem, schedule, longest_s=[2.0, 3.0])
    assert "robot 0 does task 0" in str(
        fixed.happened("start task 0", 1.0).happened("end task 0", 9.0).conflict()
    )


def test_mistakes_in_use_are_named() -> None:
    network = TemporalNetwork.of(
        [Link("begin", "start dig", 1.0), Link("start dig", "end dig", 2.0, 3.0)]
    )
    with pytest.raises(PlanningError, match="start dig"):
        network.happened("start dgi", 1.0)
    with pytest.raises(PlanningError, match="no meaning"):
        TemporalNetwork.of([Link("a", "b", np.nan)])
    run = Dispatcher(network)
    with pytest.raises(PlanningError, match="before start dig"):
        run.happened("end dig", 5.0)
    run.happened("start dig", 1.0)
    with pytest.raises(PlanningError, match="window of 3 to 4"):
        run.happened("end dig", 9.0)
    assert run.overdue(9.0) == ["end dig"]
