"""Goals become plans, schedules and behaviour trees that have been checked before anyone drives."""

# found from the repository root under its folder's name, this would be a second copy of every class
if __name__ == "planning":
    raise ImportError("use 'import commonground.planning'")

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, {})
