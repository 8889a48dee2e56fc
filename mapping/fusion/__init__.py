"""Many robots' maps become one: loop closures, robust optimization, deformation, reconciliation."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Constraints": "posegraph",
        "PoseGraph": "posegraph",
        "Optimized": "robust",
        "optimize": "robust",
        "read_g2o": "g2o",
        "write_g2o": "g2o",
    },
)
