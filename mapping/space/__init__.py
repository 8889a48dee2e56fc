"""Space: the free space as places, the ground as surface places, both grouped into regions and rooms."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Distances": "distances",
        "Patches": "patches",
        "Places": "places",
        "SpaceSettings": "settings",
    },
)
