"""The words in which a model is asked, from files that users can replace.

A folder of one's own may hold any of the files of ``data/prompts``: a file found there is used instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.errors import GroundingError
from commonground.names import within
from commonground.settings import Settings

FOLDER = Path(__file__).parent / "data" / "prompts"
PARTS_HIGH = ("general", "states", "actions")
PARTS_LOW = ("low_facts", "low_actions", "mappings")
NAMES = ("consistency", "format", *PARTS_HIGH, *PARTS_LOW, "whole")


class Example(Settings):
    """A small task and the answer that is wanted for it."""

    high: str = ""
    low: str = ""
    answer: str


class Prompt(Settings):
    """What is asked in one step, with examples."""

    task: str = Field(min_length=1)
    examples: list[Example] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Prompts:
    """All steps by name."""

    steps: dict[str, Prompt]

    def messages(self, step: str, high: str, low: str, so_far: str) -> list[dict[str, str]]:
        """Return the conversation that asks for one step; the texts are quoted as data."""
        prompt = self.steps[step]
        if step == "consistency":
            system = prompt.task.replace("{{", "{").replace("}}", "}")
        else:
            system = f"{self.steps['format'].task}\nIn this step: {prompt.task}"
        messages = [{"role": "system", "content": system}]
        for example in prompt.examples:
            messages.append({"role": "user", "content": _question(example.high, example.low, "")})
            messages.append({"role": "assistant", "content": example.answer})
        messages.append({"role": "user", "content": _question(high, low, so_far)})
        return messages


def _question(high: str, low: str, so_far: str) -> str:
    parts = []
    if high:
        parts.append(f"High level:\n<<<\n{high.strip()}\n>>>")
    if low:
        parts.append(f"Low level:\n<<<\n{low.strip()}\n>>>")
    if so_far:
        parts.append(f"The knowledge base so far:\n```prolog\n{so_far.strip()}\n```")
    return "\n\n".join(parts)


def load_prompts(folder: str | Path | None = None) -> Prompts:
    """Return the steps; files in a folder of the user's replace ours of the same name."""
    folder = None if folder is None else Path(folder)
    if folder is not None and not folder.is_dir():
        raise GroundingError(f"{folder}: there is no such folder of examples")
    steps = {}
    for name in NAMES:
        own = None if folder is None else within(folder, f"{name}.yaml")
        path = own if own is not None and own.is_file() else within(FOLDER, f"{name}.yaml")
        values, lines = read_yaml(path)
        places = {key: f"{path}:{line}" for key, line in lines.items()}
        steps[name] = validated(Prompt, values, places, str(path))
    return Prompts(steps)
