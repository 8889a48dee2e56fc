"""Planning: goals become plans, schedules and behavior trees that are checked before anyone drives."""

# found from the repository root under its folder's name, this would be a second copy of every class
if __name__ == "planning":
    raise ImportError("use 'import commonground.planning'")

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
