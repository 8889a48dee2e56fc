"""How commands are worded that are said more plainly: the patterns of ``wordings.yaml``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from commonground.config import read_yaml, validated
from commonground.settings import Settings


class Patterns(Settings):
    """Patterns of wordings; ``{{name}}`` in one stands for a fragment, and fragments for those before."""

    fragments: dict[str, str]
    patterns: dict[str, str]


@cache
def wordings() -> dict[str, re.Pattern[str]]:
    """Return the patterns by their names, in either case."""
    path = str(files("commonground.grounding.problem_writer").joinpath("data/wordings.yaml"))
    values, lines = read_yaml(path)
    read = validated(Patterns, values, {k: f"{path}:{n}" for k, n in lines.items()}, path)
    known: dict[str, str] = {}

    def whole(text: str) -> str:
        return re.sub(r"\{\{(\w+)\}\}", lambda found: known[found[1]], text)

    for name, text in read.fragments.items():
        known[name] = whole(text)
    return {name: re.compile(whole(text), re.IGNORECASE) for name, text in read.patterns.items()}
