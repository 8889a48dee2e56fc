"""Carrying out commands where the model of the world is incomplete: plan, act, look, suppose, plan again."""

from commonground.lazy import lazy_exports

_NAMES = {
    "acting": "Call Sight Trace Surroundings",
    "failures": "Failure",
    "hypotheses": "Hypothesis choose",
    "mission": "HouseholdMission Report",
    "settings": "RepairSettings",
}

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {name: module for module, names in _NAMES.items() for name in names.split()}
)
