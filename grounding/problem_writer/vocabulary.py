"""What is generally known of states: verbs and words for them, what they need, what brings them about."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from commonground.config import read_yaml, validated
from commonground.settings import Settings


class Look(Settings):
    """What things are like by a relation and its value, in adjectives."""

    relation: str
    value: str
    goal: str = ""
    words: tuple[str, ...]


class CommandWords(Settings):
    """The file of closed vocabulary; its fields are told there."""

    verbs: dict[str, tuple[str, ...]]
    states: dict[str, tuple[str, ...]]
    looks: tuple[Look, ...]
    brings: dict[str, str]
    hints: dict[str, tuple[str, ...]]
    cures: dict[str, str]
    deeds: dict[str, str]
    opposites: dict[str, str]
    needs: dict[str, str]
    works: dict[str, str]
    tools: dict[str, frozenset[str]]
    switched_by: dict[str, str]
    lights: tuple[str, ...]


@cache
def command_words() -> CommandWords:
    """Return the closed vocabulary."""
    path = str(files("commonground.grounding.problem_writer").joinpath("data/commands.yaml"))
    values, lines = read_yaml(path)
    return validated(CommandWords, values, {k: f"{path}:{n}" for k, n in lines.items()}, path)
