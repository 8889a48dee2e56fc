"""Finding things of a map by words: by names, classes, what words have in common, and by looks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
