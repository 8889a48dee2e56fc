"""Behavior trees that execute plans: built from partial orders, written as XML, ticked in process."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Action": "tree",
        "BehaviorTree": "tree",
        "Condition": "tree",
        "Failing": "tree",
        "Fallback": "tree",
        "Parallel": "tree",
        "Part": "tree",
        "Retry": "tree",
        "Sequence": "tree",
        "TickStatus": "ticking",
        "Ticker": "ticking",
        "Timeout": "tree",
        "WaitFor": "tree",
        "py_tree": "py_tree",
        "with_recovery": "tree",
        "parse_tree": "xml",
        "tree_of_actions": "build",
        "tree_of_plan": "build",
        "tree_of_schedule": "build",
        "tree_xml": "xml",
    },
)
