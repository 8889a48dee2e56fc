"""Routing of one robot: the shortest order of stops with precedence, carrying and alternatives."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Route": "route",
        "RouteProblem": "problem",
        "check_route": "check",
        "lower_bound": "bound",
        "solve_route": "solve",
    },
)
