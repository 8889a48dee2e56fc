"""Surfaces: depth images become a distance field, the field a mesh and a map of the ground."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
