"""A recording mapped into a run directory, or a robot localized by it: what ``map`` and ``localize`` do."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.config import to_yaml
from commonground.digest import digest
from commonground.errors import DataError, RunError
from commonground.frame import Frame
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.color_fit import ColorFit, color_fit
from commonground.mapping.locating import Fix, Locator, locate
from commonground.mapping.perception import Perception, make_perception
from commonground.mapping.run import map_robot
from commonground.mapping.scale import published, scale_of, scaled
from commonground.mapping.settings import MappingSettings
from commonground.mapping.source import (
    WHOLE,
    RecordedFrames,
    Recording,
    Span,
    check_recording,
    check_span,
    chosen_robot,
)
from commonground.objects import ObjectMap
from commonground.reporter import SILENT, Reporter
from commonground.runs import Run
from commonground.settings import Settings

log = logging.getLogger(__name__)
OF_SPAN = ", "
"""Stands between a recording and the part of it that was mapped, where a run tells what it was made of."""
LOOKED_AT = 24
"""Frames that tell the scale of a recording."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """A robot's map in its folder."""

    robot: str
    folder: Path
    metrics: Mapping[str, Any]
    kept: bool = False
    """Whether it was made before, of the same recording by the same settings, and nothing was done now."""

    def as_json(self) -> dict[str, Any]:
        about = {"status": "done", "kept": self.kept, "robot": self.robot}
        return {**about, "folder": str(self.folder), **self.metrics}


def map_recording(
    recording: Recording,
    out: str | Path,
    *,
    robot: str | None = None,
    span_s: Span = WHOLE,
    settings: MappingSettings | None = None,
    config: Settings | None = None,
    seed: int = 0,
    fresh: bool = False,
    reporter: Reporter = SILENT,
) -> Mapped:
    """Map one robot of a recording into the run directory ``out``; a stopped run goes on.

    A map that is there and was made of the same recording by the same settings is kept, unless asked for
    ``fresh``; only then is one of another recording replaced. ``config`` is what ``config.yaml`` there says,
    by default the settings used here.
    """
    settings = settings or MappingSettings()
    check_recording(recording)
    name = chosen_robot(recording.robots(), robot)
    check_span(recording, name, span_s)
    of_data = digest(recording.fingerprint(name), recording.labels())
    phase, made_of = f"map {name}", f"{of_data}{OF_SPAN}{span_s[0]:g} to {span_s[1]} s"
    before, span, _ = Run.made_of(out, phase).partition(OF_SPAN)
    if span and before != of_data and not fresh:
        raise RunError(
            f"{out}: holds the map of another recording of a robot {name}; choose another folder, or replace "
            "it (--fresh)"
        )
    text = to_yaml(config or settings)
    settings, fits = for_scene(settings, recording, name, span_s)
    perception = _perception(settings, recording)
    with Run.open(out, "map", seed=seed, config_yaml=text, fresh=fresh) as run:
        frames = RecordedFrames(recording, name, span_s, reporter, fits)
        folder = run.robot(name)
        kept = run.done(phase, made_of)
        metrics = run.phase(
            phase,
            lambda: map_robot(
                frames,
                perception,
                folder,
                settings,
                robot=name,
                fingerprint=made_of,
                warnings=lambda: filter(
                    None,
                    [*(_moved(camera, fit) for camera, fit in fits.items()), frames.left_out()],
                ),
            ),
            made_of,
        )
    return Mapped(name, folder, metrics, kept)


def for_scene(
    settings: MappingSettings, recording: Recording, robot: str, span_s: Span
) -> tuple[MappingSettings, Mapping[str, ColorFit]]:
    """Return the settings for what some frames of a recording show, and how its cameras' colors lie."""
    if not settings.by_scene:
        return settings, {}
    stride = max(1, recording.length(robot) // LOOKED_AT)
    start_s, stop_s = span_s
    frames = _some(recording.frames(robot, start_s=start_s, stop_s=stop_s, stride=stride))
    if not recording.labels() and any(frame.instances is not None for frame in frames):
        log.warning("%s: instance images are not used, as there are no label images", robot)
    scale = scale_of(frames)
    found = scaled(settings, scale)
    if scale.share < 1.0:
        log.info("%s %s, voxels of %g m", robot, scale, found.surface.voxel_m)
    if published(frames) and settings.tracking.enabled:
        log.info("%s: poses are taken as published, not corrected", robot)
        off = found.tracking.model_copy(update={"enabled": False})
        found = found.model_copy(update={"tracking": off})
    return found, _color_fits(frames, robot)


def _some(frames: Iterator[Frame]) -> list[Frame]:
    """Return a sample of frames; whether too many of all are broken is judged by the pass that maps."""
    found: list[Frame] = []
    try:
        for frame in frames:
            found.append(frame)
    except DataError:
        if not found:
            raise
    return found


def _color_fits(frames: Sequence[Frame], robot: str) -> Mapping[str, ColorFit]:
    """Return how color lies to depth for each camera whose images are not registered to one another."""
    fits: dict[str, ColorFit] = {}
    for camera in dict.fromkeys(frame.camera.name for frame in frames):
        fit = color_fit([frame for frame in frames if frame.camera.name == camera])
        if fit is not None:
            fits[camera] = fit
            log.warning("%s: %s", robot, _moved(camera, fit))
    return fits


def _moved(camera: str, fit: ColorFit) -> str:
    return f"color of camera {camera} is moved: depth is {fit}"


def _perception(settings: MappingSettings, recording: Recording) -> Perception:
    words = settings.surface.ground_words
    return make_perception(settings.perception, labels=recording.labels(), ground_words=words)


def locate_recording(
    recording: Recording,
    objects_map: ObjectMap,
    *,
    robot: str | None = None,
    span_s: Span = WHOLE,
    settings: MappingSettings | None = None,
    localization: LocalizationSettings | None = None,
    reporter: Reporter = SILENT,
) -> Iterator[Fix]:
    """Yield where one robot of a recording is in a map, every few meters of its drive."""
    settings = settings or MappingSettings()
    check_recording(recording)
    name = chosen_robot(recording.robots(), robot)
    check_span(recording, name, span_s)
    settings, fits = for_scene(settings, recording, name, span_s)
    perception = _perception(settings, recording)
    locator = Locator(perception, objects_map, settings, localization)
    return locate(RecordedFrames(recording, name, span_s, reporter, fits)(None), locator)
