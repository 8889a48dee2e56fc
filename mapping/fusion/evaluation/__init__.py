"""How good fused maps are: teams whose truth is known, scores, and the table of methods."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Team": "teams",
        "made_up": "teams",
        "mapped": "teams",
        "score": "scores",
        "results": "methods",
    },
)
