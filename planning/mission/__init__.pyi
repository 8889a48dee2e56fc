from .audit import audit as audit
from .belief import SceneBelief as SceneBelief
from .journal import Journal as Journal
from .mission import Mission as Mission
from .runner import Runner as Runner
from .scene_planner import ScenePlanner as ScenePlanner
from .settings import MissionSettings as MissionSettings
from .simulation import simulate_mission as simulate_mission
