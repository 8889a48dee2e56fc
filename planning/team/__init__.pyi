from .check import Violation as Violation
from .check import validate as validate
from .planner import plan_scene as plan_scene
from .track import Track as Track
from .wanted import goals_of as goals_of
from .wanted import order_of as order_of
from .wanted import read_goals as read_goals
