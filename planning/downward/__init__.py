"""Fast Downward as a separate program: translated by a warm worker process, limited, and checked.

Fast Downward and its translator are GPL-licensed: they run in processes of their own and nothing of
them is imported here.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
