"""Rooms: walls with a doorway, a lane around, furniture by kind; rows of them along corridors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from commonground.datasets.labels import NUMBER
from commonground.datasets.world.clearance import Rect
from commonground.datasets.world.kinds import pick
from commonground.datasets.world.shapes import PLAIN, Color, box, joined
from commonground.datasets.world.site import Site

WALL_M, HEIGHT_M, DOOR_M, DOOR_HEIGHT_M = 0.16, 2.7, 1.2, 2.1
CORRIDOR_M, DEPTH_M = 2.6, 7.0
"""Width of corridors, depth of rooms."""
PAINTS: tuple[Color, ...] = ((214, 208, 196), (196, 206, 214), (206, 212, 190), (220, 200, 184))
KINDS = ("office", "office", "meeting", "office", "lab", "office", "kitchen", "lounge")
"""What rooms become, in a shuffled order; with more rooms they repeat."""


@dataclass(frozen=True, slots=True)
class Room:
    """A room; its door is in the wall towards ``door_side``: −1 its low y, +1 its high y."""

    rect: Rect
    door_side: int

    @property
    def middle(self) -> tuple[float, float]:
        return (self.rect[0] + self.rect[2]) / 2, (self.rect[1] + self.rect[3]) / 2

    @property
    def door(self) -> tuple[float, float]:
        return self.middle[0], self.rect[1] if self.door_side < 0 else self.rect[3]


def row_of_rooms(
    site: Site, x0: float, x1: float, ys: tuple[float, float], side: int
) -> list[Room]:
    """Return rooms side by side from x0 to x1 whose doors are on one side."""
    rooms, x = [], x0
    while x1 - x > 5.5:
        length = float(site.rng.choice([6.0, 6.0, 8.0]))
        length = length if x1 - x - length > 5.5 else x1 - x
        rooms.append(Room((x, ys[0], x + length, ys[1]), side))
        x += length
    return rooms


def build_rooms(site: Site, rooms: list[Room], appeal: float = 1.0) -> None:
    """Build rooms of every kind in turn, in any order."""
    order = site.rng.permutation([KINDS[i % len(KINDS)] for i in range(len(rooms))])
    for room, kind in zip(rooms, order, strict=True):
        _room(site, room, str(kind), appeal)


def _room(site: Site, room: Room, kind: str, appeal: float) -> None:
    """Build a room: its region, its walls with the doorway, a lane in and around, furniture."""
    x0, y0, x1, y1 = room.rect
    region = site.region(_name(site, kind), kind)
    site.canvas.rectangle(room.rect, "floor", region)
    far = y0 if room.door_side > 0 else y1
    wall(site, x0, far, x1, far)
    wall(site, x0, y0, x0, y1)
    wall(site, x1, y0, x1, y1)
    _wall_with_door(site, room)
    gap = 1.35
    loop = [(x0 + gap, y0 + gap), (x1 - gap, y0 + gap), (x1 - gap, y1 - gap), (x0 + gap, y1 - gap)]
    for k in range(4):
        site.lane(loop[k], loop[(k + 1) % 4], 1.2, appeal)
    door = room.door
    site.lane(
        (door[0], door[1] + room.door_side * CORRIDOR_M / 2),
        (door[0], door[1] - room.door_side * gap),
        0.9,
        appeal,
    )
    leaf = (door[0] + DOOR_M / 2 + 0.08, door[1] - room.door_side * 0.62)
    site.put("door", leaf, np.pi / 2 * 0, room=-0.2, force=True)
    FURNISH[kind](site, room)
    for x, yaw in ((x0 + WALL_M / 2, 0.0), (x1 - WALL_M / 2, np.pi)):
        y = room.middle[1] + float(site.rng.uniform(-1.5, 1.5))
        site.put("picture", (x, y), yaw, lift=1.3, force=True)


def _name(site: Site, kind: str) -> str:
    if kind in ("office", "meeting"):
        word = "office" if kind == "office" else "meeting room"
        return f"{word} {1 + sum(r.label == NUMBER[kind] for r in site.regions)}"
    return kind


def wall(site: Site, x0: float, y0: float, x1: float, y1: float) -> None:
    """Put up a wall between two points along an axis, unless it stands already."""
    h = WALL_M / 2
    low, high = np.minimum((x0, y0), (x1, y1)) - h, np.maximum((x0, y0), (x1, y1)) + h
    a, b, c, d = np.round([*low, *high], 4).tolist()
    rect = (a, b, c, d)
    if rect in site.obstacles or min(rect[2] - rect[0], rect[3] - rect[1]) < WALL_M - 1e-3:
        return
    shape = box((rect[2] - rect[0], rect[3] - rect[1], HEIGHT_M), pick(site.rng, PAINTS), PLAIN)
    skirting = box((rect[2] - rect[0] + 0.02, rect[3] - rect[1] + 0.02, 0.1), (120, 110, 100))
    middle = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
    site.structure("wall", joined([shape, skirting]).labeled(NUMBER["wall"]), middle)
    site.obstacle(rect, level=False)  # it stands on a floor


def _wall_with_door(site: Site, room: Room) -> None:
    x0, _, x1, _ = room.rect
    x, y = room.door
    wall(site, x0, y, x - DOOR_M / 2, y)
    wall(site, x + DOOR_M / 2, y, x1, y)
    lintel = box((DOOR_M, WALL_M, HEIGHT_M - DOOR_HEIGHT_M), PAINTS[0]).at(0, 0, DOOR_HEIGHT_M)
    site.structure("lintel", lintel.labeled(NUMBER["wall"]), (x, y))


def corridor_things(site: Site, x0: float, x1: float, y: float) -> None:
    """Put plants, boxes, coolers and bins along both walls of a corridor whose low wall is at y."""
    kinds = ("fig tree", "water cooler", "waste bin", "box", "coat stand", "printer", "bag")
    for x in np.arange(x0, x1, 2.4):
        if site.rng.random() < 0.55:
            side = float(site.rng.choice([0.36, CORRIDOR_M - 0.36]))
            site.put(
                str(site.rng.choice(kinds)),
                (x, y + side),
                float(np.sign(1 - side) * np.pi / 2),
                room=0.02,
            )


def _along_far_wall(site: Site, room: Room, kinds: tuple[str, ...]) -> None:
    """Put things side by side along the wall opposite the door, their fronts to the room."""
    x0, y0, x1, y1 = room.rect
    y = y0 + 0.42 if room.door_side > 0 else y1 - 0.42
    for kind, x in zip(kinds, np.linspace(x0 + 0.8, x1 - 0.8, len(kinds)), strict=True):
        site.put(kind, (float(x), y), room.door_side * np.pi / 2, room=0.0)


def _office(site: Site, room: Room) -> None:
    """Two desks face to face in the middle: every office has them in the same places."""
    cx, cy = room.middle
    for side in (-1, 1):
        yaw = side * np.pi / 2
        if site.put("desk", (cx, cy + side * 0.38), yaw, room=0.0):
            site.put("monitor", (cx, cy + side * 0.25), yaw, lift=0.74, force=True)
            site.put("office chair", (cx + 0.1, cy + side * 1.05), -yaw, room=0.0)
    _along_far_wall(site, room, ("bookshelf", "filing cabinet", "bookshelf"))
    _corner(site, room, "waste bin", -1)
    if site.rng.random() < 0.5:
        kinds = ["fig tree", "coat stand", "box", "bag", "floor lamp"]
        _corner(site, room, str(site.rng.choice(kinds)), 1)


def _meeting(site: Site, room: Room) -> None:
    cx, cy = room.middle
    site.put("meeting table", (cx, cy), np.pi / 2, room=0.0)
    for side in (-1, 1):
        for x in (-0.6, 0.2):
            site.put(
                "office chair", (cx + x, cy + side * 0.95), -side * np.pi / 2, model=0, room=-0.15
            )
    _along_far_wall(site, room, ("fig tree", "whiteboard", "floor lamp"))


def _lab(site: Site, room: Room) -> None:
    cx, cy = room.middle
    for k in (-1, 1):
        site.put("desk", (cx, cy + 0.8 * k), np.pi / 2, room=0.0)
    _along_far_wall(site, room, ("filing cabinet", "printer", "bookshelf", "box"))
    _corner(site, room, "box", 1)
    _corner(site, room, "bag", -1)


def _kitchen(site: Site, room: Room) -> None:
    cx, cy = room.middle
    _along_far_wall(site, room, ("fridge", "counter", "water cooler"))
    site.put("meeting table", (cx, cy), np.pi / 2, room=0.0)
    for x in (-0.5, 0.5):
        site.put("office chair", (cx + x, cy - 0.95), np.pi / 2, model=1, room=0.0)
    _corner(site, room, "waste bin", 1)


def _lounge(site: Site, room: Room) -> None:
    cx, cy = room.middle
    site.put("sofa", (cx - 0.5, cy), 0.0, room=0.0)
    site.put("flower tub", (cx + 0.7, cy), 0.0, room=0.0)
    _along_far_wall(site, room, ("bookshelf", "coat stand", "floor lamp"))
    _corner(site, room, "fig tree", 1)
    _corner(site, room, "bag", -1)


def _corner(site: Site, room: Room, kind: str, side: int) -> None:
    """Put a thing into a corner beside the door wall."""
    x0, y0, x1, y1 = room.rect
    x = x0 + 0.42 if side < 0 else x1 - 0.42
    y = y1 - 0.42 if room.door_side > 0 else y0 + 0.42
    site.put(kind, (x, y), float(site.rng.uniform(-0.3, 0.3)), room=0.0)


FURNISH: Mapping[str, Callable[[Site, Room], None]] = {
    "office": _office,
    "meeting": _meeting,
    "lab": _lab,
    "kitchen": _kitchen,
    "lounge": _lounge,
}
"""Kind of room → what it gets."""
