"""Robots as missions see them: one small protocol, and what speaks it.

``protocol.RobotLink`` is all that a mission knows of a robot; ``simulated.SimWorld`` has robots that drive on
a scene graph, with faults that were asked for.
"""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Fault": "faults",
        "RobotLink": "protocol",
        "Sighting": "protocol",
        "SimWorld": "simulated",
        "Status": "protocol",
    },
)
