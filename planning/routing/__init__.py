"""Routing of one robot: the shortest order of stops with precedence, carrying and alternatives."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
