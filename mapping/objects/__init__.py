"""The object map of one robot: segments lifted to 3D, followed over frames, fused into objects."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "ObjectMapper": "mapper",
        "ObjectScores": "evaluate",
        "ObjectSettings": "settings",
        "SeenWell": "evaluate",
        "Visibility": "evaluate",
        "evaluate_objects": "evaluate",
    },
)
