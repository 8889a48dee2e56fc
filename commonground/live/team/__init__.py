"""A team that maps while it drives: a process per robot, one that fuses, and a folder that tells of both."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
