"""Surfaces: depth images become a distance field, the field a mesh and a map of the ground."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "DistanceField": "field",
        "GroundMap": "ground",
        "MeshArchive": "archive",
        "MeshPart": "nets",
        "SurfaceSettings": "settings",
    },
)
