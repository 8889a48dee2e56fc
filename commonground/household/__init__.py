"""Household commands planned, carried out in simulation and repaired by a heterogeneous team."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
