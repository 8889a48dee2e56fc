"""Meetings of robots on one route, simulated and mapped: relocalization is scored on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from commonground.datasets import Simulation, SimulationSettings
from commonground.datasets.making import Wishes, settings_with
from commonground.datasets.masks import PIECE
from commonground.datasets.settings import MaskSettings
from commonground.geometry import gravity_aligned
from commonground.localization.evaluation.directions import Meeting, Recorded, outcome, rows
from commonground.localization.evaluation.traverses import Traverse
from commonground.mapping.objects.mapper import ObjectMapper
from commonground.mapping.objects.travel import R_BODY_CAM
from commonground.mapping.perception import make_perception
from commonground.mapping.settings import MappingSettings
from commonground.reporter import SILENT, Reporter
from commonground.story.config import Config
from commonground.symbols import indices_of

if TYPE_CHECKING:
    from commonground.arrays import Floats, Ints
    from commonground.frame import Frame
    from commonground.mapping.perception.segments import FrameSegments
    from commonground.objects import ObjectMap

ROBOTS = ("spot", "spot_back", "spot_again")
"""On one route: the second drives it backwards, the third as the first does."""
CAMERAS = {"around": ("front", "left", "right"), "ahead": ("front",), "aside": ("left", "right")}
"""Which of its cameras a robot maps with, by name."""
View = tuple[str, str]
MEETINGS: Mapping[str, tuple[tuple[View, View], ...]] = {
    "same way": (
        (("spot", "around"), ("spot_again", "around")),
        (("spot", "ahead"), ("spot_again", "ahead")),
    ),
    "perpendicular": (
        (("spot", "ahead"), ("spot_again", "aside")),
        (("spot", "ahead"), ("spot_back", "aside")),
    ),
    "opposite way": (
        (("spot", "around"), ("spot_back", "around")),
        (("spot", "ahead"), ("spot_back", "ahead")),
    ),
}
ELSEWHERE = "another world"
NOTHING = -1


def rendered_rows(
    worlds: int, wishes: Wishes, config: Config, reporter: Reporter = SILENT
) -> list[dict[str, object]]:
    """Return the table of relocalization on the meetings of so many worlds; minutes for each of them."""
    met = meetings(worlds, config.simulation, wishes, config.mapping)
    total = worlds * sum(map(len, MEETINGS.values())) + worlds - 1
    tracked = reporter.track(met, "simulating and mapping", total=total)
    return list(rows(outcome(meeting, config.localization) for meeting in tracked))


def meetings(
    worlds: int, settings: SimulationSettings, wishes: Wishes, mapping: MappingSettings
) -> Iterator[Meeting]:
    """Yield the meetings of so many worlds, the seeds counted up from that of the wishes."""
    before: Recorded | None = None
    for k in range(worlds):
        counted = replace(wishes, seed=wishes.seed + k)
        sim = Simulation(ROBOTS, _spoiled(settings_with(settings, counted)))
        seen = {robot: record(sim, robot, mapping) for robot in ROBOTS}
        for views, pairs in MEETINGS.items():
            for one, two in pairs:
                yield Meeting(views, seen[one[0]][one[1]], seen[two[0]][two[1]])
        if before is not None:
            yield Meeting(ELSEWHERE, seen["spot"]["around"], before, related=False)
        before = seen["spot_back"]["around"]


def _spoiled(settings: SimulationSettings) -> SimulationSettings:
    """Return the settings with one route for all robots, and imperfect masks unless some are set."""
    masks = settings.masks if settings.masks != MaskSettings() else MaskSettings.realistic()
    driving = settings.driving.model_copy(update={"overlap": 1.0})
    return settings.model_copy(update={"masks": masks, "driving": driving})


def record(sim: Simulation, robot: str, settings: MappingSettings) -> dict[str, Recorded]:
    """Return what a robot maps with each choice of its cameras; every frame is rendered once."""
    perception = make_perception(settings.perception, labels=sim.labels())
    recorders = {name: Recorder(robot, settings) for name in CAMERAS}
    for frame in sim.frames(robot):
        segments = perception.segment(frame)
        for name, recorder in recorders.items():
            if frame.camera.name in CAMERAS[name]:
                recorder.integrate(frame, segments)
    return {name: recorder.recorded() for name, recorder in recorders.items()}


class Recorder:
    """Maps objects from frames of a simulator, and keeps which true thing each object is."""

    def __init__(self, robot: str, settings: MappingSettings) -> None:
        self.mapper = ObjectMapper(settings.objects, robot=robot)
        self.votes: dict[int, dict[int, int]] = {}
        """Track → true thing → frames."""
        self.T_world_submaps: list[Floats] = []
        self.live: list[ObjectMap] = []

    def integrate(self, frame: Frame, segments: FrameSegments) -> None:
        stops = len(self.mapper.odometer.stops)
        self.mapper.integrate(frame, segments)
        self._vote(frame, segments)
        if len(self.mapper.odometer.stops) > stops and frame.T_world_cam is not None:
            self.T_world_submaps.append(gravity_aligned(frame.T_world_cam @ R_BODY_CAM.T))
            self.live.append(self.mapper.snapshot())

    def _vote(self, frame: Frame, segments: FrameSegments) -> None:
        if frame.instances is None:
            return
        for segment in np.flatnonzero(self.mapper.assigned):
            things = frame.instances[segments.masks == segment] % PIECE
            if len(things):
                votes = self.votes.setdefault(int(self.mapper.assigned[segment]), {})
                thing = int(np.bincount(things).argmax())
                votes[thing] = votes.get(thing, 0) + 1

    def recorded(self) -> Recorded:
        """Return the drive up to here."""
        objects = self.mapper.snapshot()
        traverse = Traverse(objects, np.array(self.T_world_submaps), self._truth(objects))
        return Recorded(traverse, tuple(self.live))

    def _truth(self, objects: ObjectMap) -> Ints:
        out = np.full(len(objects), NOTHING, np.int64)
        for row, track in enumerate(indices_of(objects.ids)):
            votes = self.votes.get(int(track))
            if votes:
                out[row] = max(votes, key=lambda thing: (votes[thing], -thing)) or NOTHING
        return out
