"""What is in a frame: masks, descriptors, class words and surfaces, by one of several back ends."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
