"""Carrying out commands where the model of the world is incomplete: plan, act, look, suppose, plan again."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
