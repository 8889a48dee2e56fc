"""The object map of one robot, made better by every frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Ints
from commonground.crops import Crop
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.objects import evidence
from commonground.mapping.objects.album import Album
from commonground.mapping.objects.association import Match, View, associate, reach_m, views_of
from commonground.mapping.objects.crops import keep_crop
from commonground.mapping.objects.glances import Glances
from commonground.mapping.objects.growing import Look, Moment, begun, insert, note, worth_a_picture
from commonground.mapping.objects.lifting import Sighting, lift
from commonground.mapping.objects.rows import judge_rows, judge_structure
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.track import Track
from commonground.mapping.objects.travel import Odometer
from commonground.mapping.perception.segments import FrameSegments
from commonground.objects import ObjectMap
from commonground.symbols import symbol_of

if TYPE_CHECKING:
    from commonground.mapping.objects.snapshot import Summary

FORGET_M = 5.0
"""Travel after which a track that was never confirmed is dropped."""

JOIN_EVERY = 5
"""Frames between searches for tracks that grew into each other."""


class ObjectMapper:
    """Follows every thing the robot sees and keeps what is known of each; frames come in time order."""

    KEPT = (
        "robot", "vocabulary", "embedding_model", "embedding_size", "tracks", "pairs", "odometer",
        "glances", "album", "next_number", "frames", "assigned",
    )  # fmt: skip

    def __init__(self, settings: ObjectSettings | None = None, robot: str = "") -> None:
        self.settings = settings or ObjectSettings()
        self.robot = robot
        self.vocabulary: tuple[str, ...] | None = None
        self.embedding_model = ""
        self.embedding_size = 0
        self.tracks: dict[int, Track] = {}
        self.pairs = evidence.Pairs(evidence.PAIR_BOUND)
        self.odometer = Odometer(self.settings.submaps.every_m)
        self.glances = Glances(self.settings.glances)
        self.album = Album(self.settings.closing)
        self.next_number = 1
        self.frames = 0
        self.assigned: Ints = np.zeros(1, np.int64)
        """(k + 1,) the track of each segment of the last frame; 0 is none."""
        self.summaries: dict[int, Summary] = {}

    # ---- the main path ----

    def integrate(self, frame: Frame, segments: FrameSegments) -> None:
        """Take one frame: find known things again, judge those missing, begin new ones."""
        self._same_words(segments)
        frame = segments.sure(frame)
        self.frames += 1
        self.odometer.move(frame)
        sightings, masks = lift(frame, segments, self.settings.lifting)
        near = self._active(frame)
        views = views_of(near, frame, masks, len(segments), self.settings, self.frames)
        matches = associate(views, sightings, segments, frame.stamp_ns, self.settings)
        known = [(views[m.view].track, sightings[m.sighting]) for m in matches]
        segments = self.glances.looked(segments, known, frame)

        owner = {m.view: sightings[m.sighting].segment for m in matches}
        together = evidence.compare_pairs(self.pairs, views, owner)
        self._vote(views, owner, len(segments))
        for match in matches:
            self._update(
                views[match.view], sightings[match.sighting], match, frame, segments, views
            )
        self._judge_missing(views, owner)
        self._take_apart(judge_rows(views, sightings, self.settings))
        self._take_apart(judge_structure(views, owner, segments, self.settings))
        self._note_assignment(sightings, matches, views, len(segments))
        self._begin(sightings, matches, frame, segments)
        found = {s.segment: (s, int(self.assigned[s.segment])) for s in sightings}
        self.album.add(frame, masks, segments, found, self.odometer.travel_m)
        self._join(together)
        self._tidy(views, frame)

    def snapshot(self) -> ObjectMap:
        """Return the map as it is now: confirmed things that stand still, and the submaps so far."""
        from commonground.mapping.objects.snapshot import object_map

        return object_map(self)

    def crops(self, objects: ObjectMap) -> dict[str, list[Crop]]:
        """Return the pictures of the objects of a snapshot, by symbol."""
        symbols = map(symbol_of, objects.ids.tolist())
        return {s: t.crops for s in symbols if (t := self.tracks.get(int(s[1:]))) and t.crops}

    def moving_segments(self) -> Ints:
        """Return the segments of the last frame that belong to moving things: keep them out of surfaces."""
        moving = {n for n, t in self.tracks.items() if t.motion.moving}
        return np.array(
            [s for s, n in enumerate(self.assigned) if s and int(n) in moving], np.int64
        )

    def conclude(self) -> None:
        """Let all views that were kept decide what the things at rest are, now that no more will come."""
        if not self.album.pages:
            return
        from commonground.mapping.objects.closing import concluded

        kept = {n: t for n, t in self.tracks.items() if t.motion.moving or t.sealed}
        things = concluded(self.album.pages, set(kept), self.next_number, self.settings)
        self.tracks = kept | {t.number: t for t in things}
        self.next_number = max([self.next_number - 1, *self.tracks]) + 1
        self.pairs = evidence.Pairs(evidence.PAIR_BOUND)
        self.summaries = {}
        self.album.clear()

    def concluded(self) -> ObjectMapper:
        """Return this mapper as if no more views came: all so far decide, and this one goes on as it is."""
        out = copy(self)
        out.album = copy(self.album)
        out.conclude()
        return out

    def cut(self) -> None:
        """Begin a new stretch after a jump of the odometry: what was seen before is not matched again."""
        self.conclude()
        for track in self.tracks.values():
            self._archive(track)
            track.sealed = True
        self.tracks = {n: t for n, t in self.tracks.items() if t.confirmed}
        self.odometer.jump()

    # ---- steps ----

    def _same_words(self, segments: FrameSegments) -> None:
        if self.vocabulary is None:
            self.vocabulary = segments.vocabulary
            self.embedding_model = segments.embedding_model
        elif (segments.vocabulary, segments.embedding_model) != (
            self.vocabulary,
            self.embedding_model,
        ):
            raise MappingError(
                f"segments with other class words or embeddings ('{segments.embedding_model}', "
                f"{len(segments.vocabulary)} words) than before ('{self.embedding_model}', "
                f"{len(self.vocabulary)} words); map with one perception throughout"
            )
        self.embedding_size = max(self.embedding_size, segments.embeddings.shape[1])

    def _active(self, frame: Frame) -> list[Track]:
        """Return the tracks near the camera; those farther away are archived until it comes back."""
        eye, reach = frame.T_odom_cam[:3, 3], self.settings.active_m
        active = []
        for track in self.tracks.values():
            gap = np.maximum(np.maximum(track.low - eye, eye - track.high), 0.0)
            if float(gap @ gap) > reach * reach:
                self._archive(track)
            elif not track.sealed:
                active.append(track)
        return active

    def _archive(self, track: Track) -> None:
        if not track.archived:
            track.cloud.prune(self.settings.evidence.prune)
            track.cloud.limit(self.settings.voxels_archived)
            track.archived = True
            track.touch()

    def _vote(self, views: Sequence[View], owner: Mapping[int, int], segments: int) -> None:
        """Let the image decide which voxels belong to which track."""
        taken = {segment: view for view, segment in owner.items()}
        for i, view in enumerate(views):
            own = owner.get(i)
            if own is None and (view.passed + view.overlap[-1] == 0 or self._drifted(view.track)):
                continue
            votes = evidence.votes_of(segments, own, taken, self.settings.evidence.bare)
            view.track.cloud.vote(view.verdicts, votes, view.step)

    def _update(
        self,
        view: View,
        sighting: Sighting,
        match: Match,
        frame: Frame,
        segments: FrameSegments,
        views: Sequence[View],
    ) -> None:
        track = view.track
        evidence.judge_motion(track, sighting, view, match, frame.stamp_ns, self.settings.motion)
        others = [
            v.track
            for v in views
            if v.track is not track
            and v.seen >= evidence.LEAST_VOXELS
            and v.covered(sighting.segment) >= evidence.MOSTLY
        ]
        free = self._not_owned(sighting, track, others)
        free &= self._within(sighting, view, match)
        if track.motion.moving:
            track.cloud.clear()
            track.eyes[:] = np.nan
        insert(track, sighting, free)
        purity = float(free.mean()) * max(match.similarity, 0.2)
        evidence.move_logit(
            track,
            self.settings.evidence.seen * (0.5 + 0.5 * min(1.0, match.similarity / 0.5)),
            self.settings.evidence,
        )
        self._note_sighting(track, sighting, frame, segments, purity)

    def _not_owned(self, sighting: Sighting, track: Track, others: Sequence[Track]) -> Bools:
        """Return which points of a mask over several tracks do not belong to the others."""
        owned = np.zeros(len(sighting.points), np.int32)
        if others:
            reach = reach_m(sighting, self.settings)
            track.cloud.claim(sighting.points, track.cloud.voxel_m, owned, 1)
            for other in others:
                other.cloud.claim(sighting.points, reach, owned, 2)
        return np.asarray(owned < 2)

    def _within(self, sighting: Sighting, view: View, match: Match) -> Bools:
        """Return which points of a mask may belong to a thing: what is seen well does not grow at once."""
        if (
            match.inside >= self.settings.evidence.least_inside
            or view.seen_share < evidence.MOSTLY
            or view.track.motion.moving
        ):
            return np.ones(len(sighting.points), bool)
        owned = np.zeros(len(sighting.points), np.int32)
        view.track.cloud.claim(sighting.points, reach_m(sighting, self.settings), owned, 1)
        return np.asarray(owned == 1)

    def _note_sighting(
        self, track: Track, sighting: Sighting, frame: Frame, segments: FrameSegments, purity: float
    ) -> None:
        moment, rules = self._moment(frame), self.settings.crops
        crop = worth_a_picture(track, sighting, moment, purity, rules)
        note(track, sighting, moment, _look(segments, sighting), purity, self.settings)
        if crop is not None:
            ys, xs = np.nonzero(segments.masks == sighting.segment)
            box = (int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)
            keep_crop(track, frame.rgb, box, crop, rules)

    def _moment(self, frame: Frame) -> Moment:
        return Moment(frame.stamp_ns, self.odometer.travel_m, frame.T_odom_cam)

    def _judge_missing(self, views: Sequence[View], owner: Mapping[int, int]) -> None:
        taken = set(owner.values())
        for i, view in enumerate(views):
            if i not in owner:
                covered = any(view.covered(s) >= evidence.MOSTLY for s in taken)
                evidence.judge_absence(view, covered, self.settings, self.odometer.travel_m)

    def _take_apart(self, rows: Sequence[Track]) -> None:
        """Drop tracks that are several things: those begin anew, each on its own."""
        for track in rows:
            self.tracks.pop(track.number, None)
            self.pairs.drop(track.number)

    def _begin(
        self,
        sightings: Sequence[Sighting],
        matches: Sequence[Match],
        frame: Frame,
        segments: FrameSegments,
    ) -> None:
        """Start a track for every segment that is no known thing."""
        known = {m.sighting for m in matches}
        for j, sighting in enumerate(sightings):
            if j in known:
                continue
            look = _look(segments, sighting)
            track = begun(self.next_number, sighting, self._moment(frame), look, self.settings)
            self.next_number += 1
            self.tracks[track.number] = track
            insert(track, sighting)
            self._note_sighting(track, sighting, frame, segments, 1.0)
            self.assigned[sighting.segment] = track.number

    def _join(self, together: Sequence[tuple[Track, Track]]) -> None:
        """Join tracks that evidence says are one thing."""
        from commonground.mapping.objects.joining import grown_together, join, one_thing

        candidates = list(together)
        if self.frames % JOIN_EVERY == 0:
            recent = [t for t in self.tracks.values() if not t.archived]
            candidates += grown_together(recent, self.pairs, self.settings)
        for a, b in candidates:
            if a.number not in self.tracks or b.number not in self.tracks:
                continue
            if one_thing(a, b, self.pairs, self.settings):
                kept, gone = join(a, b, self.settings)
                self.pairs.inherit(kept.number, gone.number)
                del self.tracks[gone.number]
                self.assigned[self.assigned == gone.number] = kept.number

    def _note_assignment(
        self, sightings: Sequence[Sighting], matches: Sequence[Match], views: Sequence[View], k: int
    ) -> None:
        self.assigned = np.zeros(k + 1, np.int64)
        for match in matches:
            self.assigned[sightings[match.sighting].segment] = views[match.view].track.number

    def _tidy(self, views: Sequence[View], frame: Frame) -> None:
        """Thin out the tracks looked at; drop those that were never confirmed or are gone."""
        rules = self.settings.evidence
        for view in views:
            if self.frames % JOIN_EVERY == view.track.number % JOIN_EVERY:
                view.track.cloud.prune(rules.prune)
                view.track.touch()
        for number, track in list(self.tracks.items()):
            unseen = self.odometer.travel_m - track.last_travel_m
            old = (frame.stamp_ns - track.last_ns) / 1e9
            lost = not track.confirmed and (track.logit < -2.0 or unseen > FORGET_M or old > 60)
            gone = track.confirmed and track.logit <= -rules.most + 1e-9
            if lost or gone or track.cloud.count == 0:
                del self.tracks[number]
                self.pairs.drop(number)

    def _drifted(self, track: Track) -> bool:
        drift = self.settings.drift * (self.odometer.travel_m - track.last_travel_m)
        return drift > self.settings.trusted_drift_m


def _look(segments: FrameSegments, sighting: Sighting) -> Look:
    row = sighting.segment - 1
    glanced = segments.glance is not None
    return Look(segments.embeddings[row], segments.label_scores[row], glanced)
