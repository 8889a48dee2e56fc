"""One shared 3D scene graph for a team of robots, and plain language to tell them what to do."""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
