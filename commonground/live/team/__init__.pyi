from .settings import LiveTeam as LiveTeam
from .settings import load_live_team as load_live_team
from .state import TeamState as TeamState
from .state import read_team as read_team
from .team import run_team as run_team
