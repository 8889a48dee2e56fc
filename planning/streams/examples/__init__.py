"""Small problems that show the language, in pure Python; each module has functions that return problems."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
