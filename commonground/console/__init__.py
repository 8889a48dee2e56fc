"""The operator's console: state and rules in plain Python (``station``), and a thin page over them."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Console": "running",
        "MissionRecord": "record",
        "Station": "station",
        "make_station": "running",
        "open_console": "running",
        "wait_for_end": "running",
    },
)
