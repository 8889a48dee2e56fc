"""Robots as missions see them: one small protocol, and what speaks it.

``protocol.RobotLink`` is all that a mission knows of a robot; ``simulated.SimWorld`` has robots that drive on
a scene graph, with faults that were asked for. ``live.LiveRobot`` makes a link of any ``machine.Machine``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
