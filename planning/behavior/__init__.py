"""Behavior trees that execute plans: built from partial orders, written as XML, ticked in process."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
