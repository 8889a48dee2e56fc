"""Fast Downward as a separate program: translated by a warm worker process, limited, and checked.

Fast Downward and its translator are GPL-licensed: they run in processes of their own and nothing of
them is imported here.
"""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "FastDownward": "planner",
        "DownwardSettings": "settings",
        "shared_planner": "planner",
    },
)
