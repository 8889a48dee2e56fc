"""The kinds of things of a campus.

Nothing but buildings is taller than 5 m, so that a robot ten meters away sees things whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from commonground.datasets.world import nature, street, vehicles
from commonground.datasets.world.kinds import Kind

OUTDOOR: Mapping[str, Kind] = {
    "broadleaf tree": Kind("tree", nature.broadleaf, models=4),
    "conifer": Kind("tree", nature.conifer, models=2),
    "car": Kind("vehicle", vehicles.car, movable=True, models=7),
    "van": Kind("vehicle", vehicles.van, movable=True, models=2),
    "bicycle": Kind("bicycle", vehicles.bicycle, movable=True, models=4),
    "stop sign": Kind("sign", street.stop_sign, models=1),
    "information board": Kind("sign", street.board_sign, models=4),
    "speed sign": Kind("sign", street.speed_sign, models=1),
    "utility pole": Kind("pole", street.utility_pole, models=1),
    "bollard": Kind("pole", street.bollard, models=1),
    "hydrant": Kind("pole", street.hydrant, models=1),
    "street light": Kind("light", street.lamp_post, models=1),
    "path light": Kind("light", street.path_light, models=1),
    "fence": Kind("fence", street.fence_panel, models=2),
    "box": Kind("box", street.crate, movable=True, models=5),
    "barrel": Kind("barrel", street.barrel, movable=True, models=3),
    "bag": Kind("bag", street.sack, movable=True, models=3),
    "litter bin": Kind("trash", street.litter_bin, movable=True, models=2),
    "dumpster": Kind("trash", street.dumpster, movable=True, models=2),
    "bench": Kind("seating", street.bench, models=1),
    "picnic table": Kind("table", street.picnic_table, models=1),
    "flagpole": Kind("flag", street.flagpole, models=2),
    "boulder": Kind("rock", nature.boulder, models=5),
    "planter": Kind("flower", nature.planter, movable=True, models=3),
    "container": Kind("storage", street.container, models=3),
    "electrical cabinet": Kind("appliance", street.transformer, models=1),
    "traffic light": Kind("signal", street.traffic_light, models=1),
    "basket": Kind("basket", street.basket, movable=True, models=3),
    "house door": Kind("door", street.house_door, models=3),
    "statue": Kind("decor", street.statue, models=1),
}
"""Kind of thing → how it is made."""
