"""What is wanted of a team, as a command line or a file says it: a goal for each robot, and their order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from commonground.errors import MALFORMED, ConfigError, did_you_mean
from commonground.planning.scene.precedence import TEAM, Before, Step
from commonground.reading import read_json
from commonground.robots import Team

_BEFORE = re.compile(r"([\w-]+)\s*=\s*(\(.*\))\s+([\w-]+)\s*=\s*(\(.*\))", re.DOTALL)
_KEYS = (
    "goals", "order", "status", "message", "reasons", "candidates", "backend", "why", "leeway",
    "confidence", "cost", "tokens",
)  # fmt: skip
"""What a file of goals may have: all that 'ground --json' writes."""


def read_goals(file: str | Path, team: Team) -> tuple[dict[str, str], list[Before]]:
    """Return the goals and their order of a file, which 'ground --json' wrote or somebody by hand."""
    values = read_json(Path(file), once=True)
    if not isinstance(values, dict):
        raise ConfigError(f'{file}: expected {{"goals": {{"ROBOT": "(safe O39)"}}, "order": […]}}')
    for key in values:
        if key not in _KEYS:
            hint = did_you_mean(key, _KEYS) or f" Known: {', '.join(_KEYS)}."
            raise ConfigError(f"{file}: {key}: there is no such key.{hint}")
    try:
        given = {robot: goal.strip() for robot, goal in (values.get("goals") or {}).items()}
    except MALFORMED as error:
        raise ConfigError(
            f'{file}: goals: write a goal for each robot, {{"ROBOT": "(safe O39)"}}'
        ) from error
    if not given:
        told = values.get("message")
        raise ConfigError(
            f"{file}: no goals, but a question: {told}"
            if told
            else f"{file}: it has no goals as 'ground --json' writes them"
        )
    try:
        order = [Before.of_json(pair) for pair in values.get("order") or ()]
    except MALFORMED as error:
        step = '{"robot": "ROBOT", "goal": "(safe O39)"}'
        raise ConfigError(
            f'{file}: order: write each pair as {{"first": {step}, "then": {step}}}'
        ) from error
    return {_named(robot, team): goal for robot, goal in given.items()}, order


def _named(robot: str, team: Team) -> str:
    """Return the name under which a goal is planned for: a robot's, or that of the whole team."""
    return robot if robot == TEAM else team[robot].name


def goals_of(texts: Sequence[str], team: Team) -> dict[str, str]:
    """Return robot → goal of ``ROBOT=GOAL`` texts."""
    goals: dict[str, str] = {}
    for text in texts:
        name, equals, goal = text.partition("=")
        if not equals or not goal.strip():
            raise ConfigError(f'--goal {text}: write it as ROBOT="(safe O39)"')
        known = _named(name.strip(), team)
        if known in goals:
            raise ConfigError(f"--goal: {known} has two goals; join them with (and …)")
        goals[known] = goal.strip()
    return goals


def order_of(texts: Sequence[str], team: Team) -> list[Before]:
    """Return the orders of ``ROBOT=GOAL ROBOT=GOAL`` texts."""
    order = []
    for text in texts:
        found = _BEFORE.fullmatch(text.strip())
        if found is None:
            raise ConfigError(
                f"--before {text}: write it as 'ROBOT=(safe O39) ROBOT=(safe O41)', the first one first"
            )
        one, first, other, then = found.groups()
        order.append(Before(Step(_named(one, team), first), Step(_named(other, team), then)))
    return order
