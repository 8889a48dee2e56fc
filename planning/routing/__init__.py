"""In which order one robot makes its stops: shortest routes with precedence, carrying and choices."""

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
