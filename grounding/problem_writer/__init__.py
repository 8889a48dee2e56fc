"""From a household command and three views of a knowledge graph to a planning problem, in stages."""

from commonground.lazy import lazy_exports

_NAMES = {
    "domain": "household_domain",
    "graph": "HouseGraph",
    "modeled": "ModelWriter",
    "offline": "OfflineWriter",
    "problem": "Problem",
    "stages": "Written Writer write_problem",
}

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {name: module for module, names in _NAMES.items() for name in names.split()}
)
