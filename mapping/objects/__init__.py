"""The object map of one robot: segments lifted to 3D, followed over frames, fused into objects."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
