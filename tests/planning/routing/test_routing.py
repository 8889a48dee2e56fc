"""Routes of one robot against brute force, the bound against the optimum, and bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.arrays import Floats
from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.routing import RouteProblem, check_route, lower_bound, solve_route
from commonground.planning.routing.bounded import cheaper_route
from commonground.planning.routing.relaxation import completions
from commonground.planning.routing.route import Route
from commonground.planning.routing.search import search, with_nodes


def brute_force(problem: RouteProblem) -> float:
    """The least cost over all orders and all choices of nodes, by the definition."""
    carried = {p: 1 for p, _ in problem.deliveries if p is not None}
    carried |= {d: -1 for _, d in problem.deliveries if d is not None}
    at_start = sum(p is None for p, _ in problem.deliveries)
    must = [*problem.precedence, *((p, d) for p, d in problem.deliveries if None not in (p, d))]
    best = np.inf
    for order in itertools.permutations(range(len(problem.stops))):
        loads = at_start + np.cumsum([0, *(carried.get(s, 0) for s in order)])
        if max(loads) > problem.capacity:
            continue
        if any(order.index(a) > order.index(b) for a, b in must):
            continue
        for nodes in itertools.product(*(problem.stops[s] for s in order)):
            path = itertools.pairwise((0, *nodes))
            best = min(best, sum(problem.cost[a, b] for a, b in path))
    return best


@st.composite
def problems(draw: st.DrawFn) -> RouteProblem:
    """Small problems of every kind: one-way gaps, choices, precedence, things held and kept."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(0, 5))
    widths = [draw(st.integers(1, 2)) for _ in range(n)]
    m = 1 + sum(widths)
    cost = rng.integers(0, 30, (m, m)).astype(float)
    cost[rng.random((m, m)) < draw(st.sampled_from([0.0, 0.0, 0.2]))] = np.inf
    nodes = iter(range(1, m))
    stops = [[next(nodes) for _ in range(w)] for w in widths]
    shuffled = [int(s) for s in rng.permutation(n)]
    pairs: list[tuple[int | None, int | None]] = []
    for _ in range(draw(st.integers(0, n // 2))):
        pairs.append((shuffled.pop(), shuffled.pop()))
    if shuffled and draw(st.booleans()):
        pairs.append((None, shuffled.pop()) if draw(st.booleans()) else (shuffled.pop(), None))
    precedence = [
        (int(a), int(b))
        for a, b in rng.integers(0, max(n, 1), (draw(st.integers(0, 2)), 2))
        if a != b
    ]
    return RouteProblem.visiting(
        cost,
        stops,
        precedence=precedence if n else [],
        deliveries=pairs,
        capacity=draw(st.integers(1, 2)),
    )


@settings(max_examples=150, deadline=None)
@given(problems())
def test_small_problems_are_solved_like_brute_force(problem: RouteProblem) -> None:
    truth, route = brute_force(problem), solve_route(problem)
    if np.isinf(truth):
        assert route.status is Status.UNSOLVABLE and route.reason
    else:
        assert route.optimal and route.cost == pytest.approx(truth)
        assert not check_route(problem, route)


@settings(max_examples=60, deadline=None)
@given(problems())
def test_search_and_bound_enclose_the_optimum(problem: RouteProblem) -> None:
    truth = brute_force(problem)
    if not problem.stops or np.isinf(truth):
        return
    found = search(problem, np.random.default_rng(1), 500)
    assert found is not None and found.cost >= truth * (1 - 1e-9)
    assert lower_bound(problem, found.cost) <= truth * (1 + 1e-9)
    assert lower_bound(problem) <= truth * (1 + 1e-9)


@settings(max_examples=80, deadline=None)
@given(problems(), st.floats(0.01, 0.5))
def test_the_relaxation_bounds_and_closes_the_gap(problem: RouteProblem, excess: float) -> None:
    truth = brute_force(problem)
    if not problem.stops or np.isinf(truth):
        return
    upper = truth * (1 + excess) + 1.0
    for rest in completions(problem, upper, work=1e6):
        assert rest.lower_bound <= truth * (1 + 1e-9) + 1e-9
        best = cheaper_route(problem, rest, upper, 10_000)
        assert best is not None and best.order is not None
        found = with_nodes(problem, best.order)
        assert found is not None and found.cost == pytest.approx(truth)
        proof = cheaper_route(problem, rest, truth, 10_000)
        assert proof is not None and proof.order is None


def test_where_insertion_finds_nothing_routes_are_enumerated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("commonground.planning.routing.search.search", lambda *_: None)
    monkeypatch.setattr("commonground.planning.routing.solve.layers_within", lambda _: None)
    for seed in range(6):
        problem = campus(4, 1, seed, choices=2) if seed % 2 else campus(2, 2, seed)
        route = solve_route(problem)
        assert route.optimal and not check_route(problem, route)
        assert route.cost == pytest.approx(brute_force(problem), rel=1e-6)


def campus(inspections: int, deliveries: int, seed: int, choices: int = 1) -> RouteProblem:
    """Stops spread over a square, each reachable from a few nearby places."""
    rng = np.random.default_rng(seed)
    n = inspections + 2 * deliveries
    centers = rng.uniform(0, 1000, (n, 1, 2)) + rng.normal(0, 15, (n, choices, 2))
    points = np.concatenate([[[500.0, 500.0]], centers.reshape(-1, 2)])
    cost: Floats = np.linalg.norm(points[:, None] - points[None], axis=-1)
    stops = [[1 + s * choices + a for a in range(choices)] for s in range(n)]
    pairs = [(inspections + 2 * j, inspections + 2 * j + 1) for j in range(deliveries)]
    return RouteProblem.visiting(cost, stops, deliveries=pairs)


def test_twenty_inspections_and_five_deliveries_agree_over_seeds() -> None:
    problem = campus(20, 5, 3, choices=3)
    routes = [solve_route(problem, np.random.default_rng(seed)) for seed in range(2)]
    assert all(route.optimal and route.cost == pytest.approx(routes[0].cost) for route in routes)
    # a worse start of the search changes nothing about what is proven
    hurried = solve_route(problem, iterations=100)
    assert hurried.optimal and hurried.cost == pytest.approx(routes[0].cost)


def test_search_alone_finds_what_dynamic_programming_does() -> None:
    for seed in range(8):
        problem = campus(7, 2, seed, choices=1 + seed % 2)
        found = search(problem, np.random.default_rng(seed), 2000)
        assert found is not None and found.cost == pytest.approx(solve_route(problem).cost)


def test_equal_seeds_give_equal_routes() -> None:
    problem = campus(44, 6, 0)
    first, second = (
        solve_route(problem, np.random.default_rng(5), iterations=1000) for _ in range(2)
    )
    assert first == second and 0 < first.gap < 0.5


def test_large_tours_come_close_to_the_bound() -> None:
    problem = campus(100, 0, 1)
    route = solve_route(problem)
    assert route.gap < 0.05


def test_the_choice_of_places_follows_the_route() -> None:
    x = np.array([0.0, 10, -1, 12, 9])
    cost = np.abs(np.subtract.outer(x, x))
    stops = [[1], [2, 3], [4]]
    near_start = solve_route(RouteProblem.visiting(cost, stops, precedence=[(1, 2), (2, 0)]))
    assert near_start.nodes == (0, 2, 4, 1) and near_start.cost == 12.0
    near_end = solve_route(RouteProblem.visiting(cost, stops, precedence=[(2, 0), (0, 1)]))
    assert near_end.nodes == (0, 4, 1, 3) and near_end.cost == 12.0


def test_one_gripper_carries_one_thing() -> None:
    x = np.array([0.0, 1, 10, 2, 11])
    cost = np.abs(np.subtract.outer(x, x))
    pairs = [(0, 1), (2, 3)]
    one = solve_route(RouteProblem.visiting(cost, deliveries=pairs))
    two = solve_route(RouteProblem.visiting(cost, deliveries=pairs, capacity=2))
    assert one.cost == 27.0 and two.cost == 11.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"precedence": [(0, 1), (1, 2), (2, 0)]}, ["cyclic", "lamp", "door", "box"]),
        ({"deliveries": [(None, 0), (None, 1)]}, ["lamp", "door", "start"]),
        ({"deliveries": [(0, None), (1, None)]}, ["lamp", "door", "end"]),
        ({"deliveries": [(0, 1)], "capacity": 0}, ["capacity"]),
        ({"deliveries": [(None, 0), (1, 2)], "precedence": [(1, 0)]}, ["capacity"]),
    ],
)
def test_impossible_orders_say_why(change: dict[str, object], words: list[str]) -> None:
    cost = np.ones((4, 4))
    problem = RouteProblem.visiting(cost, names=["lamp", "door", "box"], **change)  # type: ignore[arg-type]
    route = solve_route(problem)
    assert route.status is Status.UNSOLVABLE
    assert all(word in route.reason for word in words), route.reason


def test_what_cannot_be_reached_is_named() -> None:
    cost = np.ones((4, 4))
    cost[:, 2] = np.inf
    route = solve_route(RouteProblem.visiting(cost, names=["lamp", "door", "box"]))
    assert route.status is Status.UNSOLVABLE and "door" in route.reason
    many = np.ones((40, 40))
    many[1:21, 21:] = many[21:, 1:21] = np.inf
    route = solve_route(RouteProblem.visiting(many))
    assert route.status is Status.UNSOLVABLE and "no way between" in route.reason


def test_an_order_that_never_fits_is_proven_impossible_for_many_stops() -> None:
    n = 45
    problem = RouteProblem.visiting(
        np.ones((n + 1, n + 1)), deliveries=[(None, 0), (1, 2)], precedence=[(1, 0)]
    )
    assert solve_route(problem).status in (Status.UNSOLVABLE, Status.NOT_FOUND)


@pytest.mark.parametrize(
    ("cost", "arguments", "words"),
    [
        (np.full((3, 3), np.nan), {}, "nan"),
        (-np.ones((3, 3)), {}, "-1"),
        (np.ones((2, 3)), {}, "square"),
        (np.ones((3, 3)), {"stops": [[]]}, "without nodes"),
        (np.ones((3, 3)), {"stops": [7]}, "node 7"),
        (np.ones((3, 3)), {"precedence": [(0, 9)]}, "9"),
        (np.ones((3, 3)), {"deliveries": [(0, 1), (1, 0)]}, "one delivery"),
        (np.ones((3, 3)), {"names": ["a"]}, "names"),
    ],
)
def test_malformed_problems_are_refused(
    cost: Floats, arguments: dict[str, object], words: str
) -> None:
    with pytest.raises(PlanningError, match=words):
        RouteProblem.visiting(cost, **arguments)  # type: ignore[arg-type]


def test_the_check_finds_each_kind_of_fault() -> None:
    problem = campus(1, 2, 0)
    good = solve_route(problem)
    assert not check_route(problem, good)

    def faults(**change: object) -> str:
        fields = {name: getattr(good, name) for name in good.__slots__}
        return " ".join(check_route(problem, Route(**(fields | change))))

    back = good.order[::-1]
    nodes = (good.nodes[0], *good.nodes[:0:-1])
    assert "before" in faults(order=back, nodes=nodes)
    assert "carried" in faults(order=(1, 3, 0, 2, 4), nodes=(0, 2, 4, 1, 3, 5))
    assert "costs" in faults(cost=good.cost + 1)
    assert "lower bound" in faults(lower_bound=good.cost + 1)
    assert "does not make" in faults(order=good.order[1:])
    assert "none of" in faults(nodes=(0, *(1 for _ in good.order)))
