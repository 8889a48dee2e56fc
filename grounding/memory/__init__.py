"""The lifelong memory: a knowledge graph that is told, asked and planned with in plain language."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
