"""The operator's console: state and rules in plain Python (``station``), and a thin page over them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
