"""The scene graph: layers of nodes in columns, edges within and between them, a mesh, and Spark-DSG files."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
