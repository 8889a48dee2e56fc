from .check import Violation as Violation
from .check import validate as validate
from .planner import plan_scene as plan_scene
from .track import Track as Track
