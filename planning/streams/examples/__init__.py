"""Small problems that show the language, in pure Python; each module has functions that return problems."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "blocks": "blocksworld",
        "blocks_with_derived_predicates": "blocksworld",
        "shelf": "discrete_tamp",
        "tight": "continuous_tamp",
        "blocked": "continuous_tamp",
        "mirror": "continuous_tamp",
        "coffee": "kitchen",
        "alternatives": "features",
        "carrots": "features",
        "deferred_motion": "features",
        "observation": "features",
        "workshop": "features",
    },
)
