"""The kinds of things of a campus.

Nothing but buildings is taller than 5 m, so that a robot ten meters away sees things whole.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from commonground.datasets.world import nature, street, vehicles
from commonground.datasets.world.kinds import BRIGHT, DARK, STEEL, WOOD, Kind, painted, still
from commonground.datasets.world.shapes import (
    PLANKS,
    STONE,
    STRIPES,
    Color,
    ball,
    bar,
    box,
    drum,
    ring,
)

RED: Color = (185, 35, 30)
BRONZE: Color = (95, 88, 62)
_REAR, _FRONT, _SEAT = (-0.52, 0, 0.34), (0.55, 0, 0.34), (-0.18, 0, 0.85)
_HEAD, _CRANK = (0.38, 0, 0.88), (-0.05, 0, 0.32)
TUBES = (
    (_REAR, _SEAT), (_REAR, _CRANK), (_CRANK, _SEAT), (_CRANK, _HEAD), (_SEAT, _HEAD), (_HEAD, _FRONT),
)  # fmt: skip
"""Of a bicycle."""

OUTDOOR: Mapping[str, Kind] = {
    "broadleaf tree": Kind("tree", nature.broadleaf, models=4),
    "conifer": Kind("tree", nature.conifer, models=2),
    "car": Kind("vehicle", vehicles.car, movable=True, models=7),
    "van": Kind("vehicle", vehicles.van, movable=True, models=2),
    "bicycle": Kind("bicycle", painted(BRIGHT, lambda paint: [
        *(bar(a, b, 0.025, paint, 5) for a, b in TUBES),
        *(ring(0.33, 0.05, DARK).at(x, 0, 0.34) for x in (-0.52, 0.55)),
        bar((0.36, -0.28, 1.0), (0.36, 0.28, 1.0), 0.02, DARK, 5),
        box((0.26, 0.14, 0.07), DARK).at(-0.2, 0, 0.87),
    ]), movable=True, models=4),
    "stop sign": Kind("sign", street.stop_sign, models=1),
    "information board": Kind("sign", street.board_sign, models=4),
    "speed sign": Kind("sign", street.speed_sign, models=1),
    "utility pole": Kind("pole", street.utility_pole, models=1),
    "bollard": Kind("pole", still(
        drum(0.11, 0.95, (60, 62, 64), sides=10),
        drum(0.12, 0.14, (235, 190, 30), sides=10).at(0, 0, 0.7),
    ), models=1),
    "hydrant": Kind("pole", still(
        drum(0.14, 0.6, RED),
        ball((0.15, 0.15, 0.12), RED).at(0, 0, 0.62),
        drum(0.18, 0.07, (130, 130, 130)),
        bar((0, -0.24, 0.42), (0, 0.24, 0.42), 0.07, RED, 8),
    ), models=1),
    "street light": Kind("light", street.lamp_post, models=1),
    "path light": Kind("light", still(
        drum(0.08, 0.85, STEEL, sides=8),
        drum(0.14, 0.22, (245, 238, 205), sides=10).at(0, 0, 0.85),
    ), models=1),
    "fence": Kind("fence", street.fence_panel, models=2),
    "box": Kind("box", street.crate, movable=True, models=5),
    "barrel": Kind("barrel", street.barrel, movable=True, models=3),
    "bag": Kind("bag", street.sack, movable=True, models=3),
    "litter bin": Kind("trash", street.litter_bin, movable=True, models=2),
    "dumpster": Kind("trash", painted(((40, 90, 60), (50, 70, 120)), lambda color: [
        drum(0.707, 1.15, color, STRIPES, sides=4, taper=1.1)
        .turned(np.pi / 4)
        .scaled((1.1, 1.8, 1))
        .at(0, 0, 0.1),
        box((1.2, 1.9, 0.08), DARK).turned(-0.12, "y").at(0, 0, 1.2),
    ]), movable=True, models=2),
    "bench": Kind("seating", still(
        *(box((0.12, 1.6, 0.04), WOOD, PLANKS).at(x, 0, 0.44) for x in (-0.15, 0.0, 0.15)),
        *(box((0.04, 1.6, 0.12), WOOD, PLANKS).at(-0.26, 0, z) for z in (0.58, 0.76)),
        *(box((0.45, 0.07, 0.44), DARK).at(-0.03, y, 0) for y in (-0.65, 0.65)),
        *(box((0.05, 0.06, 0.5), DARK).at(-0.28, y, 0.4) for y in (-0.65, 0.65)),
    ), models=1),
    "picnic table": Kind("table", still(
        box((0.85, 1.8, 0.05), WOOD, PLANKS).at(0, 0, 0.72),
        *(box((0.28, 1.8, 0.05), WOOD, PLANKS).at(s * 0.72, 0, 0.43) for s in (-1, 1)),
        *(
            bar((s * 0.75, y, 0), (-s * 0.3, y, 0.72), 0.045, WOOD)
            for s in (-1, 1)
            for y in (-0.65, 0.65)
        ),
    ), models=1),
    "flagpole": Kind("flag", street.flagpole, models=2),
    "boulder": Kind("rock", nature.boulder, models=5),
    "planter": Kind("flower", nature.planter, movable=True, models=3),
    "container": Kind("storage", painted(((160, 60, 40), (50, 80, 120), (90, 95, 80)), lambda color: [
        box((2.4, 3.6, 2.4), color, STRIPES)
    ]), models=3),
    "electrical cabinet": Kind("appliance", still(
        box((0.6, 1.1, 1.3), (110, 125, 112)), box((0.7, 1.2, 0.12), (150, 150, 146), STONE)
    ), models=1),
    "traffic light": Kind("signal", street.traffic_light, models=1),
    "basket": Kind("basket", painted(BRIGHT, lambda color: [
        *(box((0.5, 0.03, 0.28), color, STRIPES).at(0, y, 0.02) for y in (-0.17, 0.17)),
        *(box((0.03, 0.34, 0.28), color, STRIPES).at(x, 0, 0.02) for x in (-0.24, 0.24)),
        box((0.5, 0.36, 0.02), color),
        bar((0, -0.17, 0.42), (0, 0.17, 0.42), 0.02, DARK),
        *(bar((0, y, 0.2), (0, y, 0.43), 0.015, DARK) for y in (-0.17, 0.17)),
    ]), movable=True, models=3),
    "house door": Kind("door", painted(((120, 60, 40), (45, 70, 60), (60, 70, 105)), lambda color: [
        box((0.1, 1.35, 2.3), (215, 210, 200)),
        box((0.14, 1.1, 2.15), color, PLANKS),
        ball((0.05, 0.05, 0.05), STEEL, rings=3).at(0.1, 0.42, 1.05),
    ]), models=3),
    "statue": Kind("decor", still(
        box((0.9, 0.9, 0.9), (165, 160, 150), STONE),
        drum(0.26, 1.0, BRONZE, taper=0.7).at(0, 0, 0.9),
        ball((0.17, 0.17, 0.2), BRONZE).at(0, 0, 2.08),
        bar((0, 0.15, 1.7), (0.5, 0.35, 1.9), 0.06, BRONZE),
    ), models=1),
}  # fmt: skip
"""Kind of thing → how it is made."""
