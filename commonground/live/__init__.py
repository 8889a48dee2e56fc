"""Missions from an instruction to done: begun, resumed, replayed and explained, each by its folder."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
