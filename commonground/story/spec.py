"""What a story is about: the file that ``commonground run`` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from commonground.config import read_yaml, validated
from commonground.datasets.settings import SimulationSettings
from commonground.errors import ConfigError
from commonground.names import Name
from commonground.reading import MOST_ROBOTS
from commonground.robots import Entries
from commonground.settings import Settings
from commonground.story.config import Config

REPORT = "report.html"
"""Name of the page in the run directory."""


class Drive(Settings):
    """Where frames come from: a recording, or a simulation."""

    data: Path | None = None
    """Dataset folder or bag, as seen from the file."""
    simulate: SimulationSettings | None = None
    """What to simulate instead."""
    robots: tuple[Name, ...] = Field(default=(), max_length=MOST_ROBOTS)
    """Which robots, in order; all of a recording if none is named."""
    start_s: float = Field(default=0.0, ge=0)
    """Seconds to skip."""
    stop_s: float | None = Field(default=None, gt=0)
    """Seconds to stop at."""

    @model_validator(mode="after")
    def _one_source(self) -> Drive:
        if (self.data is None) == (self.simulate is None):
            raise ValueError("give either data or simulate")
        if self.simulate is not None and not self.robots:
            raise ValueError("a simulation needs robots, for instance [husky, spot]")
        return self


class Story(Settings):
    """Everything that ``run`` does, from frames to reports."""

    title: str = "Commonground"
    """Heading of the report."""
    see: Drive
    """The drives that are mapped and fused."""
    again: Drive | None = None
    """Later drives, from unknown poses, that are localized in the fused map."""
    team: Entries = Field(default_factory=dict)
    """What each robot can do; where it is localized that pose counts, not the one given here."""
    find: tuple[str, ...] = ()
    """Things to look for in the fused map, by words that no class has to have."""
    instructions: tuple[str, ...] = ()
    """What to ask, in plain language."""
    ask_about_map: bool = False
    """Compose three instructions of rising difficulty from what the map holds."""
    settings: Config = Config()
    """Settings of the parts, as ``--config`` files hold them."""


def read_story(path: str | Path) -> Story:
    """Return the story of a YAML file; ConfigError with file and line for what is wrong."""
    values, lines = read_yaml(path)
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: a mapping with at least 'see:' is needed")
    origin = {keys: f"{path}:{line}" for keys, line in lines.items()}
    story = validated(Story, values, origin, str(path))
    return story.model_copy(
        update={"see": _found(story.see, path), "again": _found(story.again, path)}
    )


def _found(drive: Any, path: str | Path) -> Any:
    """Return the drive with its data as seen from here."""
    if drive is None or drive.data is None:
        return drive
    return drive.model_copy(update={"data": (Path(path).parent / drive.data).resolve()})
