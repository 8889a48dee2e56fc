"""What is in a frame: masks, descriptors, class words and surfaces, by one of several back ends."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "ClassicalPerception": "classical",
        "Clip": "clip",
        "FastSamClipPerception": "fastsam_clip",
        "GroundTruthPerception": "ground_truth",
        "encoder_of": "text",
        "read_picture": "picture",
        "NO_SURFACE": "segments",
        "FrameSegments": "segments",
        "Perception": "segments",
        "PerceptionSettings": "settings",
        "make_perception": "factory",
    },
)
