"""What a sighting adds to a track."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Floats32
from commonground.crops import Crop
from commonground.mapping.objects._voxels import FACTS, OPEN, RANGE, WEIGHT
from commonground.mapping.objects.cloud import VoxelCloud
from commonground.mapping.objects.crops import is_wanted
from commonground.mapping.objects.evidence import CONFIRM
from commonground.mapping.objects.fusion import (
    add_label,
    add_look,
    picture_worth,
    side_of,
    view_weight,
)
from commonground.mapping.objects.glances import glance_weight
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.settings import CropSettings, ObjectSettings
from commonground.mapping.objects.track import Motion, Track


class Moment(NamedTuple):
    """When and from where something is seen."""

    stamp_ns: int
    travel_m: float
    T_odom_cam: Floats


class Look(NamedTuple):
    """What a mask looks like."""

    embedding: Floats32
    label_scores: Floats32
    glanced: bool
    """Whether looks are taken one by one."""


def begun(
    number: int, sighting: Sighting, moment: Moment, look: Look, settings: ObjectSettings
) -> Track:
    """Return a track of nothing yet, where a sighting is."""
    center, stamp_ns = sighting.center, moment.stamp_ns
    return Track(
        number=number,
        cloud=VoxelCloud(settings.lifting.voxel_m, settings.voxels_per_object),
        logit=settings.evidence.start,
        first_ns=stamp_ns,
        last_ns=stamp_ns,
        last_travel_m=moment.travel_m,
        motion=Motion(center, center, stamp_ns),
        label_logs=np.zeros(len(look.label_scores)),
        embedding=np.zeros(len(look.embedding)),
    )


def insert(track: Track, sighting: Sighting, rows: Bools | None = None) -> None:
    """Add the points of a sighting, or some of them."""
    chosen = np.ones(len(sighting.points), bool) if rows is None else rows
    facts = np.zeros((int(chosen.sum()), FACTS), np.float32)
    facts[:, WEIGHT] = sighting.weights[chosen]
    facts[:, RANGE] = sighting.ranges[chosen]
    facts[:, OPEN] = sighting.open_share[chosen]
    track.cloud.insert(np.ascontiguousarray(sighting.points[chosen]), facts)
    track.archived = False
    track.touch()


def note(
    track: Track,
    sighting: Sighting,
    moment: Moment,
    look: Look,
    purity: float,
    settings: ObjectSettings,
) -> None:
    """Count a sighting: what it looks like, and from where it was seen."""
    weight = view_weight(track, sighting, moment.T_odom_cam, purity)
    add_look(track, look.embedding, glance_weight(sighting, purity) if look.glanced else weight)
    add_label(track, look.label_scores, weight)
    track.seen_from(moment.T_odom_cam, sighting.center)
    track.note(
        moment.stamp_ns, moment.travel_m, sighting.depth_m, sighting.area_px, settings.history_kept
    )
    rules = settings.evidence
    often = track.sightings >= rules.least_sightings and track.change >= rules.least_change
    if track.logit >= CONFIRM and often:
        track.confirmed = True


def worth_a_picture(
    track: Track, sighting: Sighting, moment: Moment, purity: float, settings: CropSettings
) -> Crop | None:
    """Return what a picture of a sighting would be worth, without it; None if it is not wanted."""
    if sighting.area_px < settings.least_px:
        return None
    side = side_of(sighting, moment.T_odom_cam)
    crop = Crop(b"", picture_worth(sighting, purity), moment.stamp_ns, side)
    return crop if is_wanted(track.crops, crop, settings) else None
