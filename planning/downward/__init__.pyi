from .planner import FastDownward as FastDownward
from .planner import shared_planner as shared_planner
from .settings import DownwardSettings as DownwardSettings
