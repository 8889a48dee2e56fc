"""Temporal networks: conflicts that are real, earliest times that are tight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import PlanningError
from commonground.planning.temporal import (
    Link,
    TemporalNetwork,
)

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
def test_conflicts_and_earliest_times_agree_with_bound_propagation(
    network: TemporalNetwork,
) -> None:
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
            network.earliest()
        return
    assert truth is not None
    assert network.earliest() == {event: low for event, (low, _) in truth.items()}


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


def test_a_link_without_meaning_is_refused() -> None:
    with pytest.raises(PlanningError, match="no meaning"):
        TemporalNetwork.of([Link("a", "b", np.nan)])
