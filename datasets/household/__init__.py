"""A symbolic household like AI2-THOR's: worlds, tasks, several robots acting at once, what they can see."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
