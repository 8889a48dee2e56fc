from .faults import Fault as Fault
from .protocol import RobotLink as RobotLink
from .protocol import Sighting as Sighting
from .protocol import Status as Status
from .simulated import SimWorld as SimWorld
