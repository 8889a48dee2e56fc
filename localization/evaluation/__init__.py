"""Problems with known answers, and the tables that tell how well they are solved."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Known": "problems",
        "campus": "worlds",
        "campus_pair": "problems",
        "grid": "worlds",
        "point_sets": "problems",
        "scattered_maps": "problems",
    },
)
