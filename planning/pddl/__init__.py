"""PDDL: read, check, print, reason about formulas, and execute plans, independently of any planner."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
