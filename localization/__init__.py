"""Which objects of two maps are the same, the transform between them, and where a robot is."""

if __name__ == "localization":  # found from the repository root: a second copy of every class
    raise ImportError("use 'import commonground.localization'")

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
