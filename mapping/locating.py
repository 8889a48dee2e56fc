"""Where a robot is in a fused map, while it drives: it maps objects and looks for them in the map."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats
from commonground.crops import Crop
from commonground.errors import LocalizationError
from commonground.frame import Frame
from commonground.geometry import gravity_aligned, inverse, yaw_of
from commonground.localization import Estimate, LocalizationSettings, Relocalizer
from commonground.mapping.leaning import Leaning
from commonground.mapping.looking import Looking
from commonground.mapping.objects.mapper import ObjectMapper
from commonground.mapping.objects.travel import R_BODY_CAM
from commonground.mapping.odometry import Intake, Verdict
from commonground.mapping.perception.segments import Perception
from commonground.mapping.settings import MappingSettings
from commonground.mapping.watch import Watch
from commonground.objects import ObjectMap, load_objects
from commonground.run_folder import OBJECTS, RunFolder
from commonground.scene.files import SUFFIXES

if TYPE_CHECKING:
    from commonground.mapping.fusion.overlay import Sight

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Fix:
    """An estimate, and how far the robot had driven when it was made."""

    travel_m: float
    estimate: Estimate
    seen: Lookout | None = None
    """What the robot knew of then, where it maps while it drives."""

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as it is written; lengths in meters, angles in degrees."""
        e = self.estimate
        return {
            "stamp_ns": e.stamp_ns,
            "travel_m": round(self.travel_m, 2),
            "state": e.state.value,
            "confidence": round(e.confidence, 4),
            **_place(e.T_map_submap),
            **_spread(e.covariance_submap),
            "T_map_odom": None if e.T_map_odom is None else e.T_map_odom.tolist(),
            "agreeing_submaps": e.supports,
            "since_m": None if e.T_map_submap is None else round(e.since_m, 1),
            "objects_seen_again": len(e.pairs),
            "hypotheses": e.hypotheses,
        }


def _place(T_map_submap: Floats | None) -> dict[str, Any]:
    """Return where a submap lies, as JSON values."""
    if T_map_submap is None:
        return {"position_map": None, "yaw_deg": None}
    position = [round(float(x), 3) for x in T_map_submap[:3, 3]]
    return {"position_map": position, "yaw_deg": round(float(np.degrees(yaw_of(T_map_submap))), 2)}


def _spread(covariance: Floats | None) -> dict[str, Any]:
    """Return how uncertain position and heading are, as JSON values."""
    if covariance is None:
        return {"sigma_m": None, "sigma_deg": None}
    sigma_m = float(np.sqrt(covariance[0, 0] + covariance[1, 1]))
    sigma_deg = float(np.degrees(np.sqrt(covariance[5, 5])))
    return {"sigma_m": round(sigma_m, 3), "sigma_deg": round(sigma_deg, 2)}


@dataclass(frozen=True, slots=True, eq=False)
class Lookout:
    """The objects a robot knows of when a submap is complete, which is their last."""

    travel_m: float
    objects: ObjectMap
    anew: bool
    """The odometry jumped since the one before: what the robot believed of its place is void."""
    crops: Mapping[str, Sequence[Crop]] = field(default_factory=dict)
    """The best pictures of the objects, by symbol."""
    T_world_submap: Floats | None = None
    """(4, 4) where the latest submap really is, if the data has true poses."""


class Observer:
    """Maps what one robot sees, objects only, no surfaces, so that it runs beside all else a robot does."""

    def __init__(self, perception: Perception, settings: MappingSettings | None = None) -> None:
        settings = settings or MappingSettings()
        self.perception = perception
        self.intake = Intake(settings.odometry, settings.give_up_after)
        self.objects = ObjectMapper(settings.objects)
        self.looking = Looking(perception)
        self.watch = Watch()
        self.leaning = Leaning()
        self._anew = False

    def integrate(self, frame: Frame) -> Lookout | None:
        """Take one frame; return what is known if it completed a submap, as one does every few meters."""
        verdict = self.intake.judge(frame)
        if verdict is Verdict.CUT:
            if self.intake.cut:
                log.warning("%s", self.intake.cut)
            self.objects.cut()
            self.looking.cut()
            self.watch.cut()
            self.leaning.cut()
            self._anew = True
        if verdict not in (Verdict.USE, Verdict.CUT):
            return None
        for wrong in filter(None, (self.watch.add(frame), self.leaning.add(frame))):
            log.warning("%s", wrong)
        if not self.looking.due(frame):
            return None
        stops = len(self.objects.odometer.stops)
        self.objects.integrate(frame, self.looking.look(frame))
        if len(self.objects.odometer.stops) == stops:
            return None
        anew, self._anew = self._anew, False
        settled = self.objects.concluded()
        known = settled.snapshot()
        travel_m, true = self.objects.odometer.travel_m, None
        if frame.T_world_cam is not None:
            true = gravity_aligned(frame.T_world_cam @ R_BODY_CAM.T)
        return Lookout(travel_m, known, anew, settled.crops(known), true)


class Locator:
    """Localizes one robot in one map, frame by frame; the same live and over recorded data.

    A fix comes whenever a submap is due, from what was seen up to there.
    """

    def __init__(
        self,
        perception: Perception,
        objects_map: ObjectMap,
        settings: MappingSettings | None = None,
        localization: LocalizationSettings | None = None,
    ) -> None:
        self.observer = Observer(perception, settings)
        self.relocalizer = Relocalizer(objects_map, localization)
        self.fixes: list[Fix] = []

    def integrate(self, frame: Frame) -> Fix | None:
        """Take one frame; return a fix if this frame completed a submap."""
        seen = self.observer.integrate(frame)
        if seen is None:
            return None
        self.fixes.append(fix_of(self.relocalizer, seen))
        return self.fixes[-1]


def fix_of(relocalizer: Relocalizer, seen: Lookout) -> Fix:
    """Return where a robot is by what it knows of at one moment, and by what it believed before."""
    if seen.anew:
        relocalizer.forget()
    estimate = relocalizer.update(seen.objects, seen.objects.submaps[-1])
    return Fix(seen.travel_m, estimate, seen)


def locate(frames: Iterable[Frame], locator: Locator) -> Iterator[Fix]:
    """Yield the fixes of recorded frames, in the order driven."""
    for frame in frames:
        fix = locator.integrate(frame)
        if fix is not None:
            yield fix


def locate_mapped(
    objects: ObjectMap,
    objects_map: ObjectMap,
    settings: LocalizationSettings | None = None,
    sights: tuple[Sight, Sight] | None = None,
) -> Iterator[Fix]:
    """Yield the fixes of a robot that has mapped its drive already, one for each of its submaps.

    With ``sights`` of the map and of the drive, surfaces confirm what few objects leave in doubt.
    """
    from commonground.mapping.confirming import confirmed

    relocalizer = Relocalizer(objects_map, settings)
    travel_m, before = 0.0, None
    for submap in sorted(objects.submaps, key=lambda s: s.stamp_ns):
        if before is not None:
            step = inverse(before.T_map_submap) @ submap.T_map_submap
            travel_m += float((step[:3, 3] ** 2).sum() ** 0.5)
        before = submap
        estimate = relocalizer.update(objects, submap)
        if sights is not None:
            estimate = confirmed(estimate, *sights)
        yield Fix(travel_m, estimate)


def holds_map(path: str | Path) -> bool:
    """Return whether a path is a map, or a run that holds some, and no recording."""
    path = Path(path)
    return path.suffix == ".npz" or bool(RunFolder(path).maps(OBJECTS) or RunFolder(path).robots())


def find_objects(path: str | Path) -> ObjectMap:
    """Return the object map of a file, a fused map, a run, or a robot's folder."""
    return load_objects(find_map(path))


def find_map(path: str | Path) -> Path:
    """Return the file of the object map that a path means; LocalizationError if it means none."""
    place = Path(path)
    if not place.exists():
        raise LocalizationError(f"{place}: there is no such map")
    if place.is_file():
        if place.suffix != ".npz":
            why = "is no object map"
            if place.suffix in SUFFIXES:
                why = "is a scene graph, whose things have no looks and sightings to be found by"
            raise LocalizationError(f"{place}: {why}; give the folder of a map, or {OBJECTS}")
        return place
    files = RunFolder(place).maps(OBJECTS)
    if len(files) == 1:
        return files[0]
    if files:
        raise LocalizationError(
            f"{place}: holds the maps of {len(files)} robots that are not fused; run commonground "
            f"fuse {place} --out {place}, or give the folder of one robot"
        )
    raise LocalizationError(f"{place}: holds no map; expected fused/{OBJECTS} or {OBJECTS}")
