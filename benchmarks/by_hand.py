"""Planning's own algorithms beside libraries that do the same: the figures of docs/by_hand.md.

    python benchmarks/by_hand.py [routing | sat | pddl | trees | teams | times]

OR-tools and networkx are installed with ``commonground[planning]``; ``sat`` wants python-sat, ``pddl``
the packages pddl and unified-planning.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from routing import scattered_stops

from commonground.planning.pddl import load_task
from commonground.planning.pddl.satisfy import Clause, model
from commonground.planning.routing import RouteProblem, solve_route
from commonground.planning.routing.bound import arborescence
from commonground.planning.temporal import (
    TeamProblem,
    check_schedule,
    scattered_tasks,
    solve_team,
)
from commonground.planning.temporal.network import Link, TemporalNetwork
from commonground.planning.temporal.problem import timetable

TASKS = Path(__file__).parents[1] / "tests" / "planning" / "pddl" / "tasks"


def cpu_s(work: Callable[[], object], times: int = 1) -> float:
    """Return the processor time of some work."""
    begin = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begin) / times


def or_tools(problem: RouteProblem, seconds: float) -> float:
    """Return the cost of OR-tools' route by guided local search, NaN without one."""
    from ortools.constraint_solver import pywrapcp
    from ortools.constraint_solver import routing_enums_pb2 as enums

    n = len(problem.cost)
    cost = np.zeros((n + 1, n + 1), np.int64)  # the last node is an end that costs nothing
    cost[:n, :n] = np.round(1000 * problem.cost)
    manager = pywrapcp.RoutingIndexManager(n + 1, 1, [0], [n])
    routing = pywrapcp.RoutingModel(manager)
    transit = routing.RegisterTransitMatrix(cost.tolist())
    routing.SetArcCostEvaluatorOfAllVehicles(transit)
    routing.AddDimension(transit, 0, 10**12, True, "distance")
    load = [0] * (n + 1)
    for pickup, dropoff in problem.deliveries:
        for stop, change in ((pickup, 1), (dropoff, -1)):
            for node in problem.stops[stop]:
                load[node] = change
    unary = routing.RegisterUnaryTransitVector(load)
    routing.AddDimension(unary, 0, problem.capacity, True, "load")
    chosen = [routing.AddDisjunction([manager.NodeToIndex(v) for v in s]) for s in problem.stops]
    distance = routing.GetDimensionOrDie("distance")
    for pickup, dropoff in problem.deliveries:
        routing.AddPickupAndDeliverySets(chosen[pickup], chosen[dropoff])
        ends = [problem.stops[pickup], problem.stops[dropoff]]
        if all(len(nodes) == 1 for nodes in ends):
            first, last = (distance.CumulVar(manager.NodeToIndex(nodes[0])) for nodes in ends)
            routing.solver().Add(first <= last)
    search = pywrapcp.DefaultRoutingSearchParameters()
    search.first_solution_strategy = enums.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    search.local_search_metaheuristic = enums.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    search.time_limit.FromMilliseconds(int(1000 * seconds))
    found = routing.SolveWithParameters(search)
    return float("nan") if found is None else found.ObjectiveValue() / 1000


def routing() -> None:
    """Compare routes: processor time and proofs of ours, what OR-tools' cost more after 1 and 5 s."""
    solve_route(scattered_stops(20, 5, 1, 99))  # compiles
    for size in ((20, 5, 1), (20, 5, 3), (25, 0, 3), (30, 0, 1), (40, 10, 1), (100, 0, 1)):
        for seed in range(3):
            problem = scattered_stops(*size, seed)
            begin = time.process_time()
            ours = solve_route(problem, np.random.default_rng(seed))
            used = time.process_time() - begin
            more = [100 * (or_tools(problem, s) / ours.cost - 1) for s in (1.0, 5.0)]
            print(
                size, seed, f"{used:.2f} s, optimal {ours.optimal}; {more[0]:+.1f} {more[1]:+.1f} %"
            )


def sat() -> None:
    """Compare satisfiability of random clauses of three literals at their hardest."""
    from pysat.solvers import Solver

    for n in (10, 50, 100):
        rng = np.random.default_rng(n)
        clauses: list[Clause] = [
            tuple(((1 + rng.permutation(n)[:3]) * rng.choice((1, -1), 3)).tolist())
            for _ in range(int(4.26 * n))
        ]
        with Solver(name="minisat22", bootstrap_with=clauses) as solver:
            library = cpu_s(solver.solve)
        print(
            n,
            f"ours {1e3 * cpu_s(lambda c=clauses: model(c)):.2f} ms, MiniSat {1e3 * library:.2f} ms",
        )


def pddl() -> None:
    """Read the tests' tasks with three parsers."""
    from pddl import parse_domain, parse_problem
    from unified_planning.io import PDDLReader

    readers: dict[str, Callable[[Path, Path], object]] = {
        "ours": load_task,
        "pddl": lambda d, p: (parse_domain(str(d)), parse_problem(str(p))),
        "unified-planning": lambda d, p: PDDLReader().parse_problem(str(d), str(p)),
    }
    for domain in sorted(TASKS.glob("*-domain.pddl")):
        problem = domain.with_name(domain.name.replace("-domain", "-problem"))
        for name, read in readers.items():
            try:
                print(domain.stem, name, f"{1e3 * cpu_s(lambda: read(domain, problem)):.1f} ms")  # noqa: B023
            except Exception as error:  # noqa: BLE001 - each package has errors of its own
                print(domain.stem, name, type(error).__name__)


def trees() -> None:
    """Compare minimum arborescences of dense graphs."""
    import networkx as nx

    for n in (20, 50, 100):
        weight = np.random.default_rng(0).uniform(1, 100, (n, n))
        arborescence(weight)
        graph = nx.DiGraph()
        graph.add_weighted_edges_from(
            (i, j, weight[i, j]) for i in range(n) for j in range(1, n) if i != j
        )
        library = cpu_s(lambda g=graph: nx.minimum_spanning_arborescence(g))
        ours = cpu_s(lambda w=weight: arborescence(w), 200)
        print(n, f"ours {1e3 * ours:.3f} ms, networkx {1e3 * library:.1f} ms")


def shared_out(problem: TeamProblem, solutions: int) -> float:
    """Return the makespan of OR-tools' routes by guided local search, after so many solutions."""
    from ortools.constraint_solver import pywrapcp
    from ortools.constraint_solver import routing_enums_pb2 as enums

    n, robots = problem.duration_s.shape
    manager = pywrapcp.RoutingIndexManager(n + 1, robots, 0)
    routing = pywrapcp.RoutingModel(manager)
    transits = []
    for robot in range(robots):  # node 0 is where each is, and an end that costs nothing
        cost = np.zeros((n + 1, n + 1), np.int64)
        lasts = np.where(problem.able[:, robot], problem.duration_s[:, robot], 0.0)
        cost[0, 1:], cost[1:, 0] = problem.approach_s[robot], lasts
        cost[1:, 1:] = problem.travel_s[robot] + lasts[:, None]
        np.fill_diagonal(cost, 0)
        transits.append(routing.RegisterTransitMatrix(cost.tolist()))
        routing.SetArcCostEvaluatorOfVehicle(transits[-1], robot)
    routing.AddDimensionWithVehicleTransits(transits, 0, 10**9, True, "time")
    routing.GetDimensionOrDie("time").SetGlobalSpanCostCoefficient(100)
    for task, able in enumerate(problem.able):
        robots_able = [-1, *map(int, np.flatnonzero(able))]
        routing.VehicleVar(manager.NodeToIndex(task + 1)).SetValues(robots_able)
    options = pywrapcp.DefaultRoutingSearchParameters()
    options.first_solution_strategy = enums.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    options.local_search_metaheuristic = enums.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    options.solution_limit = solutions
    found = routing.SolveWithParameters(options)
    routes = []
    for robot in range(robots):
        index, own = found.Value(routing.NextVar(routing.Start(robot))), []
        while not routing.IsEnd(index):
            own.append(manager.IndexToNode(index) - 1)
            index = found.Value(routing.NextVar(index))
        routes.append(tuple(own))
    schedule = timetable(problem, tuple(routes))
    assert not check_schedule(problem, schedule)
    return schedule.makespan_s


def teams() -> None:
    """Compare tasks shared out among robots."""
    solve_team(scattered_tasks(8, 2), iterations=10)  # compiles
    for tasks, robots in ((10, 2), (50, 2), (50, 6), (100, 4), (200, 6)):
        for seed in range(3):
            problem = scattered_tasks(tasks, robots, seed)
            begin = time.process_time()
            ours = solve_team(problem, np.random.default_rng(seed)).makespan_s
            told = f"{tasks} tasks, {robots} robots: ours {time.process_time() - begin:.3f} s"
            begin = time.process_time()
            longer = shared_out(problem, 100) / ours - 1
            print(f"{told}, OR-tools {time.process_time() - begin:.2f} s, {longer:+.1%} longer")


def times() -> None:
    """Compare looking for links in time that contradict each other."""
    import networkx as nx

    def library(network: TemporalNetwork) -> bool:
        tails, heads, weights, _ = network._arcs()
        graph = nx.DiGraph()
        for u, v, w in zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True):
            least = graph[u][v]["weight"] if graph.has_edge(u, v) else np.inf
            graph.add_edge(u, v, weight=min(w, least))
        graph.add_weighted_edges_from((-1, u, 0.0) for u in range(len(network.events)))
        try:
            return bool(nx.find_negative_cycle(graph, -1))
        except nx.NetworkXError:
            return False

    for size in (50, 200, 800):
        rng = np.random.default_rng(size)
        pairs = np.sort(rng.integers(0, size, (3 * size, 2)), axis=1)
        most_s = np.where(rng.random(len(pairs)) < 0.3, 5.0 * size, np.inf)
        links = [
            Link(f"e{a}", f"e{b}", 0.1, float(most))
            for (a, b), most in zip(pairs.tolist(), most_s, strict=True)
            if a != b
        ]
        wrong = Link(f"e{max(map(max, pairs.tolist()))}", f"e{min(map(min, pairs.tolist()))}", 0.1)
        for given in (links, [*links, wrong]):
            network = TemporalNetwork.of(given)
            assert bool(network.conflict()) == library(network)
            ours, theirs = cpu_s(network.conflict), cpu_s(lambda n=network: library(n))
            told = "contradict each other" if len(given) > len(links) else "hold"
            print(
                f"{size} times that {told}: ours {1e3 * ours:.1f}, networkx {1e3 * theirs:.1f} ms"
            )


if __name__ == "__main__":
    parts = {f.__name__: f for f in (routing, sat, pddl, trees, teams, times)}
    for part in sys.argv[1:] or parts:
        parts[part]()
