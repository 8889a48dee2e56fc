from .bound import lower_bound as lower_bound
from .problem import RouteProblem as RouteProblem
from .route import Route as Route
from .route import check_route as check_route
from .solve import solve_route as solve_route
