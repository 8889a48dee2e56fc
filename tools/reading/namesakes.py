"""Made-up names: of regions as people call parts of a site, of robots, of nodes as a map numbers them.

A sheet has few names, a map may have any. What tells a name is where it stands, or that the world has it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import vocabulary as v

SIDES = v.words("""
north, south, east, west, northern, southern, eastern, western, upper, lower, inner, outer, old,
new, main, back, front, rear, big, little, long, far, near, middle, central, left, right, top, side
""")
USES = v.words("""
fishing, loading, maintenance, picnic, storage, repair, training, charging, testing, packing, boat,
gate, ridge, visitor, staff, delivery, service, rose, oak, sorting, bike, truck, water, guest, bus,
harbor, river, hill, church, school, market, station, mill, fire, timber, gravel, tool, kitchen,
assembly, welding, paint, north gate, boat ramp, fire lane, sports, music, dining, meeting, laundry
""")
MARKS = v.words("""
1, 2, 3, 4, 7, 9, 12, 14, 21, A, B, C, D, A1, B12, C-3, one, two, three, four, seven, 2.14, 0.07
""")
ROBOT_NAMES = v.words("""
Spot, Husky, Rover, Scout, Unit, Robot, Robo, Dingo, Jackal, Buddy, Ranger, Carrier, Crawler, Rex,
Luna, Max, Bolt, Sparky, Rusty, Titan, Comet, Mars, Echo, Lima, Kilo, Oscar, Victor, Charlie, Zulu,
Wheelie, Betty, Hugo, Agent, Vehicle, Bot, Dog
""")
WORDS_FOR = {
    "o": ("object", "item", "thing", "node", "object number"),
    "p": ("place", "mesh place", "waypoint", "node", "position"),
    "r": ("region", "area", "zone", "room"),
}


class Namesakes:
    """Draws names."""

    def __init__(self, rng: random.Random) -> None:
        self.random = rng

    def region(self) -> tuple[bool, list[str]]:
        """Return whether a region's name has an article before it, and its words."""
        pick, chance = self.random.choice, self.random.random()
        words = [*pick(v.REGIONS).split()]
        if chance < 0.2:
            return False, self.cased([*words[-1:], *pick(MARKS).replace("-", " - ").split()])
        if chance < 0.55:
            words = [pick(SIDES), *words]
        elif chance < 0.85:
            words = [*pick(USES).split(), *words]
        elif chance < 0.93:
            words = [pick(SIDES), pick(USES).split()[-1], words[-1]]
        else:
            words = [*pick(v.PEOPLE).split()[-1:], "'s", *words]
            return False, words
        return self.random.random() < 0.85, self.cased(words)

    def cased(self, words: list[str]) -> list[str]:
        """Return words, sometimes with capitals."""
        return [w[:1].upper() + w[1:] for w in words] if self.random.random() < 0.25 else words

    def robot(self) -> list[str]:
        """Return a robot's name."""
        name, number = self.random.choice(ROBOT_NAMES), str(self.random.randrange(1, 20))
        form = self.random.randrange(5)
        if form < 2:
            return [name]
        if form == 2:
            return [name, number]
        return [f"{name.lower()}{number}"] if form == 3 else [f"{name}{number}"]

    def symbol(self, words: Sequence[str]) -> list[str]:
        """Return another symbol of the same layer: its number, its letter or not, its kind or not."""
        letter = next((w[0] for w in words if w[1:].isdigit() and w[:1].isalpha()), "")
        number = str(int(self.random.choice((9, 40, 700, 3000)) * self.random.random()))
        if letter.lower() not in WORDS_FOR:
            return [number if w.isdigit() else w for w in words]
        called = self.random.choice(WORDS_FOR[letter.lower()]).split()
        form = self.random.random()
        if form < 0.6:
            return [*words[:-1], letter + number] if form < 0.2 else [letter + number]
        return [*called, number if form < 0.85 else letter + number]
