"""What is in a frame: masks, descriptors, class words and surfaces, by one of several back ends."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "NO_SURFACE": "segments",
        "FrameSegments": "segments",
        "Perception": "segments",
    },
)
