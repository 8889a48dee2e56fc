"""A symbolic household like AI2-THOR's: worlds, tasks, several robots acting at once, what they can see."""

from commonground.lazy import lazy_exports

_NAMES = {
    "goals": "Literal parse_literal holds",
    "house": "House",
    "making": "Wish make_tasks make_worlds",
    "moves": "Move Outcome",
    "scoring": "Score score_plan summarize",
    "tasks": "Hidden HouseholdTask RobotSpec load_tasks",
    "worlds": "Floor Thing load_worlds",
}

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {name: module for module, names in _NAMES.items() for name in names.split()}
)
