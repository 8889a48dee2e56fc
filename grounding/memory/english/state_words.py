"""States of things: which senses bring them about or tell of them, and which words describe them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class State(NamedTuple):
    """A side of one of several states, whichever a thing has."""

    concepts: tuple[str, ...]
    positive: bool = True

    @property
    def concept(self) -> str:
        """The first of its states: the only one of what a word tells."""
        return self.concepts[0]


STATES: Mapping[str, State] = {
    "open": State(("openness", "flow", "power"), True),
    "be open": State(("openness", "flow", "power"), True),
    "close": State(("openness", "flow", "power"), False),
    "be closed": State(("openness", "flow", "power"), False),
    "switch on": State(("power", "flow"), True),
    "be on": State(("power", "flow"), True),
    "switch off": State(("power", "flow", "sound"), False),
    "be off": State(("power", "flow", "sound"), False),
    "run water": State(("flow",), True),
    "stop water": State(("flow",), False),
    "light the room": State(("power",), True),
    "darken the room": State(("power",), False),
    "clean": State(("cleanliness",), True),
    "be clean": State(("cleanliness",), True),
    "be dirty": State(("cleanliness",), False),
    "heat": State(("heat",), True),
    "be hot": State(("heat",), True),
    "chill": State(("heat",), False),
    "be cold": State(("heat",), False),
    "break": State(("damage",), True),
    "be broken": State(("damage",), True),
    "work again": State(("damage",), False),
    "ring": State(("sound",), True),
    "silence": State(("sound",), False),
    "make the bed": State(("tidiness",), True),
    "be made": State(("tidiness",), True),
    "mess up the bed": State(("tidiness",), False),
    "be unmade": State(("tidiness",), False),
    "empty": State(("contents",), False),
    "be empty": State(("contents",), False),
}
"""What each sense brings about or tells of."""

_WORDS = {
    ("openness", True): "open ajar unlocked unlatched",
    ("openness", False): "closed shut locked sealed",
    ("power", True): "on lit glowing burning running playing bright powered",
    ("power", False): "off dark unlit out",
    ("flow", True): "running flowing on",
    ("flow", False): "stopped dry off",
    ("cleanliness", True): "clean spotless washed rinsed",
    ("cleanliness", False): "dirty filthy soiled stained unwashed smeared muddy",
    ("heat", True): "hot warm steaming piping",
    ("heat", False): "cold cool chilled",
    ("damage", True): "broken cracked ruined smashed damaged",
    ("damage", False): "intact unbroken working fixed repaired whole",
    ("sound", True): "ringing buzzing",
    ("sound", False): "silent quiet",
    ("tidiness", True): "made",
    ("tidiness", False): "unmade rumpled",
    ("contents", True): "full filled half-full",
    ("contents", False): "empty drained",
}
STATE_WORDS: Mapping[tuple[str, ...], tuple[State, ...]] = {
    (word,): tuple(State((c,), p) for (c, p), words in _WORDS.items() if word in words.split())
    for listed in _WORDS.values()
    for word in listed.split()
}
"""Adjective → the states it may describe."""
