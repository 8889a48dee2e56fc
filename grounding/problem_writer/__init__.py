"""From a household command and three views of a knowledge graph to a planning problem, in stages."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
