"""One shared 3D scene graph for a team of robots, and plain language to tell them what to do."""

from commonground.lazy import lazy_exports

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "CommongroundError": "errors",
        "Frame": "frame",
        "Camera": "frame",
        "ObjectMap": "objects",
        "SceneGraph": "scene",
        "Layer": "scene",
        "Run": "runs",
    },
)
