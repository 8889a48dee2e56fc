"""Wordings put on sites made for them, where their meanings come to goals."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[2]))

import vocabulary
from meanings import told

from commonground.geometry import from_xyz_yaw
from commonground.grounding.answers import answer
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.orders.grounding import Orders
from commonground.grounding.orders.instruction import instruction_of
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.robots import Robot, Team
from tests.grounding.sites import Style, make_site

UNSUITED = {"state", "verb", "manner", "attribute", "superlative", "person", "symbol"}
"""Slots of what no goal says, and of numbers that a made site has not."""
ODD = re.compile("of yesterday|imagin|taken back|asks|only if|slip of the tongue")
SITES = 6
"""So many sites are tried for one on which a meaning picks something out."""


class Case(NamedTuple):
    """What somebody said on a site, and what was meant."""

    author: str
    text: str
    utterance: Utterance
    orders: Orders
    goals: dict[str, str]


def is_suited(wording: dict[str, Any]) -> bool:
    """Return whether a wording speaks of what a made site has."""
    robots = all(words.isalpha() for kind, words in wording["slots"] if kind == "robot")
    kinds = {kind for kind, _ in wording["slots"]}
    return robots and kinds.isdisjoint(UNSUITED) and not ODD.search(json.dumps(wording["meaning"]))


def on_a_site(author: str, wording: dict[str, Any]) -> Case | None:
    """Return a wording with the first of some sites on which its meaning comes to goals."""
    text, utterance, _, _ = told(wording)
    for seed in range(SITES):
        orders = Orders(site_for(wording, seed), GroundingSettings())
        if goals := goals_of(utterance, text, orders):
            return Case(author, text, utterance, orders, goals)
    return None


def goals_of(said: Utterance, text: str, orders: Orders) -> dict[str, str]:
    """Return what a meaning comes to, whatever its text; nothing where it picks nothing out."""
    try:
        meaning = instruction_of(said, text).instruction
        return {} if meaning is None else answer(orders.maker.goals(meaning)).goals or {}
    except Unclear:
        return {}


def site_for(wording: dict[str, Any], seed: int) -> World:
    """Return a site that has what a wording speaks of, and other things beside."""
    rng = random.Random(seed)  # noqa: S311
    said: dict[str, list[str]] = {}
    for kind, words in wording["slots"]:
        said.setdefault(kind, []).append(words if kind == "robot" else words.casefold())
    areas = {area.casefold() for area in vocabulary.REGIONS}
    nouns = [*said.get("noun", ()), *said.get("wrong noun", ())]
    things = {noun: rng.randint(1, 4) for noun in nouns if noun not in areas}
    things |= {noun: 2 for noun in ("piano", "parasol", "goose") if noun not in things}
    regions = [(noun, "") for noun in nouns if noun in areas]
    regions += [("area", name.removeprefix("the ")) for name in said.get("region name", ())]
    regions += [(noun, "") for noun in ("heath", "gravel", "bank", "slope")]
    colors = tuple(said.get("color", ()))
    robots = [*dict.fromkeys([*said.get("robot", ()), "Ajax", "Bolt"])]
    style = Style(
        ("Ajax", "Bolt"), tuple(dict.fromkeys(regions)), tuple(things.items()),
        tuple(things) if colors else (), (*colors, "teal"),
    )  # fmt: skip
    skills = frozenset({"goto", "inspect", "pick", "place"})
    poses = (from_xyz_yaw((20 + 9 * k, 30 + 4 * k, 0.5, 0.4 * k)) for k in range(len(robots)))
    team = Team({r: Robot(r, pose, skills) for r, pose in zip(robots, poses, strict=True)})
    return World(make_site(style, seed).graph, team, ())
