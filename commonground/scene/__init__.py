"""The scene graph: layers of nodes in columns, edges within and between them, a mesh, and Spark-DSG files."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Boxes": "layer",
        "Edges": "layer",
        "Layer": "layer",
        "LayerKey": "layer",
        "Ragged": "layer",
        "Mesh": "graph",
        "SceneGraph": "graph",
        "load_scene": "files",
        "save_scene": "files",
    },
)
