"""Problems with known answers, and the tables that tell how well they are solved."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
