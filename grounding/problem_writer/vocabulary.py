"""The verbs of commands by what they ask for, and the words for states."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from commonground.config import read_yaml, validated
from commonground.settings import Settings


class CommandWords(Settings):
    """The file of closed vocabulary."""

    verbs: dict[str, tuple[str, ...]]
    states: dict[str, tuple[str, ...]]


@cache
def command_words() -> CommandWords:
    """Return the closed vocabulary."""
    path = str(files("commonground.grounding.problem_writer").joinpath("data/commands.yaml"))
    values, lines = read_yaml(path)
    return validated(CommandWords, values, {k: f"{path}:{n}" for k, n in lines.items()}, path)
