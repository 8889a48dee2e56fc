from .bound import lower_bound as lower_bound
from .check import check_route as check_route
from .problem import RouteProblem as RouteProblem
from .route import Route as Route
from .solve import solve_route as solve_route
