"""Which objects of two maps are the same, and the transform between the maps."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {"associate": "match", "Association": "result", "Verdict": "result", "densest_set": "densest"},
)
