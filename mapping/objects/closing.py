"""The things of a finished room, from all of its views: whatever came first, the same views give the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from commonground.arrays import Ints
from commonground.mapping.depth_pieces import DepthSensor
from commonground.mapping.objects._judging import THING
from commonground.mapping.objects._voxels import HITS, MISSES
from commonground.mapping.objects.album import Member, Page, picture_of
from commonground.mapping.objects.backing import end_at_wall
from commonground.mapping.objects.consensus import (
    Verdicts,
    groups_of,
    image_of,
    support,
    verdicts_of,
)
from commonground.mapping.objects.crops import keep_crop
from commonground.mapping.objects.evidence import CONFIRM
from commonground.mapping.objects.growing import Look, Moment, begun, insert, note, worth_a_picture
from commonground.mapping.objects.lifting import LEAST_PIECE, Sighting, depth_sensor
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.snapshot import is_sized, summarize
from commonground.mapping.objects.track import Track

GAP = 4.0
"""Voxels that a thing has in one piece are no farther apart."""

Entry = tuple[int, Member]
"""The row of a page, and one of its masks."""


def concluded(
    pages: Sequence[Page], taken: set[int], first_new: int, settings: ObjectSettings
) -> list[Track]:
    """Return the things that all views together show, surest first.

    A thing has the number of the track that most of its masks were taken for, unless ``taken`` holds it or a
    surer thing has it; others are numbered from ``first_new`` on.
    """
    sensor = depth_sensor(settings.lifting)
    verdicts = verdicts_of(pages, sensor, settings.lifting.voxel_m, settings.closing)
    entries = [(j, m) for j, page in enumerate(pages) for m in page.members]
    found = []
    for rows in groups_of(verdicts, settings.closing, settings.evidence):
        track = _thing(rows, entries, pages, verdicts, sensor, settings)
        if track is not None:
            found.append((track, [entries[r] for r in rows]))
    found.sort(key=lambda f: (-f[0].sightings, *f[0].low.tolist()))
    kept: list[tuple[Track, list[Entry]]] = []
    for track, own in found:
        reach = settings.lifting.voxel_m
        shares = [k.cloud.share_inside(track.cloud.points, reach) for k, _ in kept]
        if max(shares, default=0.0) < settings.closing.most_inside:
            kept.append((track, own))
    used = set(taken)
    for track, own in kept:
        track.number, first_new = _number(own, used, first_new)
        used.add(track.number)
    _take_pictures(kept, pages, settings)
    return [track for track, _ in kept]


def _thing(
    rows: Ints,
    entries: Sequence[Entry],
    pages: Sequence[Page],
    verdicts: Verdicts,
    sensor: DepthSensor,
    settings: ObjectSettings,
) -> Track | None:
    """Return a group of masks as a track; None if that is no thing of the map."""
    rules = settings.evidence
    said = verdicts.take(rows)
    logit = float(settings.evidence.start + support(said, rules).mean())
    members = [entries[r] for r in rows]
    if logit < CONFIRM or len({j for j, _ in members}) < rules.least_sightings:
        return None
    j, first = members[0]
    track = begun(0, first.sighting, _moment(pages[j]), _look(pages[j], first), settings)
    track.logit = min(logit, rules.most)
    insert(track, _together([m.sighting for _, m in members]))
    seen: set[int] = set()
    for j, member in members:
        if j not in seen:
            look = _look(pages[j], member)
            note(track, member.sighting, _moment(pages[j]), look, 1.0, settings)
        seen.add(j)
    if not track.confirmed:
        return None
    _cut_out(track, said, pages, sensor, settings)
    if track.cloud.count:
        end_at_wall(track, [pages[j] for j in sorted(seen)], settings)
    return track if track.cloud.count and is_sized(summarize(track, settings), settings) else None


def _together(sightings: Sequence[Sighting]) -> Sighting:
    """Return the points of all sightings as those of the first."""
    names = ("points", "weights", "ranges", "open_share")
    columns: dict[str, Any] = {n: np.concatenate([getattr(s, n) for s in sightings]) for n in names}
    return replace(sightings[0], **columns)


def _cut_out(
    track: Track,
    said: Verdicts,
    pages: Sequence[Page],
    sensor: DepthSensor,
    settings: ObjectSettings,
) -> None:
    """Leave the voxels that views with a mask of the thing show under that."""
    from commonground.mapping.objects import _judging

    cloud = track.cloud
    cloud.facts[:, [HITS, MISSES]] = 4.0, 0.0
    facts = cloud.facts.copy()
    own, other = np.zeros(cloud.count), np.zeros(cloud.count)
    for j, page in enumerate(pages):
        mask = _mask(said, j)
        if mask:
            _judging.count_votes(
                cloud.points, facts, image_of(page, sensor), mask, cloud.voxel_m, page.count,
                own, other,
            )  # fmt: skip
    share = settings.closing.own
    cloud.facts[:, HITS] = own
    cloud.facts[:, MISSES] = other * share / (1.0 - share)
    cloud.prune(1.0)
    # some views have a thing and something farther on under one mask, where nobody else looks
    cloud.drop_spill(GAP, LEAST_PIECE)
    track.touch()


def _mask(said: Verdicts, view: int) -> int:
    """Return the mask of a view that most of what it shows of a thing is under, 0 if there is none."""
    status = said.status[:, view]
    under = said.into[status == THING, view]
    if len(under) == 0:
        return 0
    best = int(np.bincount(under).argmax())
    return best if (under == best).sum() >= 0.5 * (status > 0).sum() else 0


def _number(own: Sequence[Entry], used: set[int], first_new: int) -> tuple[int, int]:
    """Return the number of a thing, and the first one that is free after that."""
    for number, _ in Counter(m.track for _, m in own).most_common():
        if number and number not in used:
            return number, first_new
    return first_new, first_new + 1


def _take_pictures(
    kept: Sequence[tuple[Track, list[Entry]]], pages: Sequence[Page], settings: ObjectSettings
) -> None:
    """Give things their pictures; each view is decoded once."""
    views: dict[int, list[tuple[Track, Member]]] = {}
    for track, own in kept:
        for j, member in own:
            views.setdefault(j, []).append((track, member))
    for j, pairs in sorted(views.items()):
        moment, rgb = _moment(pages[j]), None
        for track, member in pairs:
            crop = worth_a_picture(track, member.sighting, moment, 1.0, settings.crops)
            if crop is None:
                continue
            rgb = picture_of(pages[j]) if rgb is None else rgb
            if rgb is not None:
                keep_crop(track, rgb, member.box, crop, settings.crops)


def _moment(page: Page) -> Moment:
    return Moment(page.stamp_ns, page.travel_m, page.T_odom_cam)


def _look(page: Page, member: Member) -> Look:
    return Look(member.embedding, member.label_scores, page.glanced)
