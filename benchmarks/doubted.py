"""How often the checks of a meaning object to what was meant, and how often to what was not.

    python benchmarks/doubted.py [--each 500] [--seed 0] [--show 3]

Wordings by many people, whose meanings are known, are put on sites made for them. The meaning itself should
leave no doubt of its text. The same meaning with a part left out, another robot, another deed or the like
comes to other goals, and should: that many strangers are asked for nothing, and that many errors are held up.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "tools" / "reading"))

import vocabulary
from meanings import told

from commonground.geometry import from_xyz_yaw
from commonground.grounding.answers import Grounding, answer
from commonground.grounding.english.parts import mapped, parts_of
from commonground.grounding.english.utterance import Clause, Part, Phrase, Steps, Utterance
from commonground.grounding.orders.grounding import Orders
from commonground.grounding.orders.instruction import instruction_of
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.robots import Robot, Team
from tests.grounding.sites import Style, make_site

WORDINGS = Path(__file__).resolve().parents[1] / "tools" / "reading" / "wordings"
UNSUITED = {"state", "verb", "manner", "attribute", "superlative", "person", "symbol"}
"""Slots of what no goal says, and of numbers that a made site has not."""
ODD = re.compile("of yesterday|imagin|taken back|asks|only if|slip of the tongue")
SITES = 6
"""So many sites are tried for one on which a meaning picks something out."""
DOUBTFUL = re.compile(r"I am not sure what is meant: (.*)\. I understood: ", re.DOTALL)


class Case(NamedTuple):
    """What somebody said on a site, and what was meant."""

    author: str
    text: str
    utterance: Utterance
    orders: Orders
    goals: dict[str, str]


def main() -> int:
    """Print both shares, and what objects to right meanings most."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=500, help="wordings")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="examples of each doubt")
    asked = parser.parse_args()
    doubted: dict[str, list[Case]] = {}
    held, damaged = Counter[str](), Counter[str]()
    right = count = 0
    for case in cases(asked.each, random.Random(asked.seed)):  # noqa: S311
        count += 1
        doubts = doubts_of(case.orders.ground(case.utterance, case.text))
        right += not doubts
        for doubt in doubts:
            doubted.setdefault(re.sub(r"'.*'", "…", doubt), []).append(case)
        for name, other in damages(case.utterance):
            found = case.orders.ground(other, case.text)
            goals = goals_of(other, case.text, case.orders)
            if goals and goals != case.goals:
                damaged[name] += 1
                held[name] += found.goals is None
    for doubt, of in sorted(doubted.items(), key=lambda row: -len(row[1])):
        print(f"{len(of):4d}  {doubt}")
        for case in of[: asked.show]:
            print(f"        {case.author}: {case.text}")
    print(
        f"{count - right} of {count} ({(count - right) / max(1, count):.1%}) right meanings doubted"
    )
    for name, n in damaged.most_common():
        print(f"{held[name]:4d} of {n} ({held[name] / n:.1%}) held up: {name}")
    n = sum(damaged.values())
    print(
        f"{sum(held.values())} of {n} ({sum(held.values()) / max(1, n):.1%}) wrong meanings held up"
    )
    return 0


def cases(count: int, rng: random.Random) -> Iterator[Case]:
    """Yield so many wordings, drawn from all authors, that come to goals on a site of their own."""
    files = sorted(WORDINGS.glob("*.jsonl"))
    lines = [(file.stem, line) for file in files for line in file.read_text().splitlines()]
    rng.shuffle(lines)
    for author, line in lines:
        wording = json.loads(line)
        if count <= 0:
            return
        if wording["domain"] == "scene" and is_suited(wording):
            case = on_a_site(author, wording)
            if case is not None:
                count -= 1
                yield case


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


def doubts_of(found: Grounding) -> list[str]:
    """Return what an answer doubts of its meaning."""
    if found.goals:
        return []
    doubts = DOUBTFUL.search(found.message)
    return doubts[1].split("; ") if doubts else [found.message.split(":")[0]]


def damages(said: Utterance) -> Iterator[tuple[str, Utterance]]:
    """Yield wrong meanings near a right one, each with what is wrong with it."""
    for k, part in enumerate(said.parts):
        rest = said.parts[:k] + said.parts[k + 1 :]
        if rest:
            bans = isinstance(part.step, Clause) and part.step.mood == "never"
            yield "a ban left out" if bans else "a part left out", Utterance(rest)
        for name, other in _damaged(part):
            yield name, Utterance((*said.parts[:k], other, *said.parts[k + 1 :]))
    crews = [part.crew for part in said.parts]
    if len(said.parts) > 1 and crews[0] != crews[1] and crews[0] and crews[1]:
        first, second, *more = said.parts
        swapped = replace(first, crew=crews[1]), replace(second, crew=crews[0])
        yield "robots swapped", Utterance((*swapped, *more))
    for phrase in parts_of(said, Phrase):
        for trait, nothing in (("where", ()), ("best", None), ("color", None), ("but", None)):
            if getattr(phrase, trait):
                less = replace(phrase, **{trait: nothing})  # type: ignore[arg-type]
                yield f"'{trait}' of a phrase left out", _with(said, phrase, less)


def _damaged(part: Part) -> Iterator[tuple[str, Part]]:
    step = part.step
    if isinstance(step, Clause):
        if step.mood == "never":
            yield "a ban turned into an order", replace(part, step=replace(step, mood="do"))
        elif step.sense in ("inspect", "go to", "end up at"):
            other = {"inspect": "go to", "go to": "end up at", "end up at": "go to"}[step.sense]
            role = {"theme": None, "goal": step.theme or step.goal}
            turned = replace(step, sense=other, **role)  # type: ignore[arg-type]
            yield f"'{step.sense}' read as '{other}'", replace(part, step=turned)
        return
    for k in range(len(step.steps)):
        rest = step.steps[:k] + step.steps[k + 1 :]
        left = rest[0] if len(rest) == 1 else replace(step, steps=rest)
        name = "a choice made" if step.join == "one of" else "a step left out"
        yield name, replace(part, step=left)
    if step.join == "in order":
        yield "order turned", replace(part, step=Steps("in order", step.steps[::-1]))
        yield "order lost", replace(part, step=Steps("any order", step.steps))


def _with(said: Utterance, old: Phrase, new: Phrase) -> Utterance:
    changed: Utterance = mapped(said, lambda part: new if part == old else part)
    return changed


if __name__ == "__main__":
    sys.exit(main())
