"""The whole way from frames to driven plans, as ``run`` and ``demo`` tell it: one module a chapter."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
