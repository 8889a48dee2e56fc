"""Planning with streams: actions over values that samplers find while planning (PDDLStream)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
