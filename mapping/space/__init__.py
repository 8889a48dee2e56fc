"""Space: the free space as places, the ground as surface places, both grouped into regions and rooms."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
