"""Writing a simulated dataset with a few settings changed: what ``commonground simulate`` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.atomic import writing_alone
from commonground.config import validated
from commonground.datasets.settings import SimulationSettings
from commonground.datasets.simulator.simulation import Simulation
from commonground.errors import DataError, did_you_mean
from commonground.reading import whole_number
from commonground.reporter import SILENT, Reporter

FORMATS = ("folder", "ros1bag")
WORTH_PROCESSES = 200 * 640 * 480
"""Pixels from which on more processes save more time than they cost to start."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """Settings people name most; None leaves what the settings say."""

    world: str | None = None
    length_m: float | None = None
    size: str | None = None
    """``640x480``"""
    session: int | None = None
    changes: float | None = None
    seed: int = 0
    """Seed of the world and of the drive, unless the settings give them another."""


@dataclass(frozen=True, slots=True)
class Written:
    """A dataset, written or in the making: going through ``steps`` writes it, one frame each."""

    path: Path
    format: str
    robots: tuple[str, ...]
    frames: int
    steps: Iterator[int]
    settings: SimulationSettings
    changes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "written": str(self.path),
            "format": self.format,
            "robots": list(self.robots),
            "frames": self.frames,
            "changes": list(self.changes),
            "settings": self.settings.model_dump(mode="json"),
        }


def settings_with(settings: SimulationSettings, wishes: Wishes) -> SimulationSettings:
    """Return the settings with wishes put in; ConfigError if one is out of bounds."""
    values = settings.model_dump(mode="json")
    session = wishes.session
    if wishes.changes and session is None and not settings.world.session:
        session = 1  # whoever asks for changes wants to see them
    given = {
        ("world", "kind"): wishes.world,
        ("world", "session"): session,
        ("world", "changes"): wishes.changes,
        ("driving", "length_m"): wishes.length_m,
    }
    if wishes.size is not None:
        width, height = _size(wishes.size)
        given |= {("sensor", "width"): width, ("sensor", "height"): height}
    for (section, name), value in given.items():
        if value is not None:
            values[section][name] = value
    values["seed"] = settings.seed or wishes.seed
    values["world"]["seed"] = settings.world.seed or wishes.seed
    return validated(SimulationSettings, values, {}, "simulation")


def simulate_dataset(
    out: str | Path,
    robots: str,
    wishes: Wishes | None = None,
    *,
    settings: SimulationSettings | None = None,
    format: str = "folder",
    processes: int = 0,
    reporter: Reporter = SILENT,
) -> Written:
    """Drive robots, named with commas between, through a simulated world and write what they see."""
    given = settings_with(settings or SimulationSettings(), wishes or Wishes())
    written = write_dataset(given, robots, format, Path(out), processes)
    for _ in reporter.track(written.steps, "rendering", total=written.frames):
        pass
    return written


def write_dataset(
    settings: SimulationSettings, robots: str, format: str, out: Path, jobs: int = 0
) -> Written:
    """Return a dataset ready to be written; robots are names with commas between.

    Without a number of ``jobs`` there is one for each core, or just one where little is to be done.
    """
    if format not in FORMATS:
        raise DataError(
            f"'{format}' is no dataset format; choose {' or '.join(FORMATS)}.{did_you_mean(format, FORMATS)}"
        )
    names = tuple(name.strip() for name in robots.split(",") if name.strip())
    simulation = Simulation(names, settings)
    frames = sum(simulation.length(name) for name in names)
    alone = frames * settings.sensor.width * settings.sensor.height < WORTH_PROCESSES
    write = _writer(format)
    return Written(
        path=out,
        format=format,
        robots=names,
        frames=frames,
        steps=_alone(
            out, write(simulation, out, jobs=jobs or (1 if alone else os.cpu_count() or 1))
        ),
        settings=settings,
        changes=simulation.world.changes,
    )


def _alone(out: Path, steps: Iterator[int]) -> Iterator[int]:
    """Write while no other process writes there."""
    with writing_alone(out):
        yield from steps


def _writer(format: str) -> Callable[..., Iterator[int]]:
    if format == "folder":
        from commonground.datasets import folder

        return folder.writing
    from commonground.datasets import ros1bag

    return ros1bag.writing


def _size(text: str) -> tuple[int, int]:
    width, x, height = text.lower().partition("x")
    pixels = whole_number(width), whole_number(height)
    if not x or pixels[0] is None or pixels[1] is None:
        raise DataError(f"an image size is written as 640x480, not '{text}'")
    return pixels[0], pixels[1]
