from .record import MissionRecord as MissionRecord
from .running import Console as Console
from .running import make_station as make_station
from .running import open_console as open_console
from .running import wait_for_end as wait_for_end
from .station import Station as Station
