"""Loop closures between robots whose frames are unknown, by the agreement of all their submaps.

A submap of a camera that sees ten meters ahead holds a handful of objects, and few matches of two such
submaps hold by themselves. Many that say the same of the robots' frames do: their evidence adds up,
and that of the best set which says otherwise is what repetition reaches (``localization.register``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.blas import one_blas_thread
from commonground.errors import LocalizationError
from commonground.geometry import adjoint, inverse
from commonground.localization.association.result import Verdict
from commonground.localization.matching import Match, Solved, match_maps
from commonground.localization.places import Place, comparable
from commonground.localization.registration import Registration, register_matches
from commonground.localization.retrieval import make_atlas
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.overlay import Overlay, Sight, is_small, overlay
from commonground.mapping.fusion.refused import Refused
from commonground.mapping.fusion.workers import run_jobs
from commonground.scene import SceneGraph

Known: TypeAlias = Callable[[RobotRun, RobotRun], Sequence["Closure"] | None]
"""Closures between two runs that were found before; None if they were not matched."""
WINDOW_M = 12.0
"""Objects of a submap were seen within this much travel of its origin."""

OUTSIDE = (-1, -1)
"""The submaps of a closure that was found elsewhere, or of whole maps."""
FEW_OBJECTS, LITTLE_EVIDENCE = 4, 9.0
"""With so many, and so much, they are joined if their surfaces and free space say the same (``overlay``)."""
SURFACES_EVIDENCE = 20.0
"""Log evidence of a join that surfaces and free space bear out, at least."""
LEAST_LEAD = 0.5
"""Share of their evidence by which robots' objects must speak more for one way to lay the maps than for any
other that would join them too. A building alike after half a turn leaves 0.35, its other joins 0.59 or more.
"""
LOOSE_M, LOOSE_DEG = 1.0, 6.0
"""Standard deviations from which a closure says too little to be worth the risk that it is wrong."""
TRUE_SHARE = 0.4
"""Share of the variance stated by association that errors on simulated campuses show."""


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """Two submaps that show the same, as a constraint between two keyframes."""

    robots: tuple[int, int]
    keyframes: tuple[int, int]
    T: Floats
    """(4, 4) maps coordinates at the second keyframe to the first."""
    covariance: Floats
    confidence: float
    shared: int
    """How many objects agree."""
    evidence: float = 0.0
    """Log evidence against chance of all that speaks for it; 0 if others must agree with it first."""
    submaps: tuple[int, int] = OUTSIDE
    repeated: tuple[tuple[int, int], ...] = ()
    """Other pairs of submaps that measured the same again, by the same objects."""
    given: bool = False
    """Whether it comes from elsewhere."""

    def of(self, robots: tuple[int, int]) -> Closure:
        """Return the same where its robots have these numbers."""
        return self if self.robots == robots else replace(self, robots=robots)


def find_closures(
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    settings: LocalizationSettings,
    known: Known | None = None,
    executor: Executor | None = None,
    solved: Solved | None = None,
) -> tuple[list[Closure], list[str | Refused]]:
    """Return the closures between every two robots, and notes about maps that are not joined.

    ``places`` are the submaps of each robot; pairs of robots that are ``known`` are not matched again,
    nor are pairs of submaps that are ``solved`` where no ``executor`` matches elsewhere.
    """
    found: dict[tuple[int, int], Sequence[Closure]] = {}
    jobs: list[Job] = []
    for b in range(len(runs)):
        for a in range(b):
            before = None if known is None else known(runs[a], runs[b])
            if before is not None:
                found[a, b] = [c.of((a, b)) for c in before]
            else:
                two, spots = (bare(runs[a]), bare(runs[b])), (places[a], places[b])
                jobs.append(Job((a, b), two, spots, settings, solved))
    answers, here = run_jobs(match_two, jobs, executor)
    notes: list[str | Refused] = (
        [f"{here} of {len(jobs)} matches were made here: workers were lost or did not answer"]
        if here
        else []
    )
    for job, answer in zip(jobs, answers, strict=True):
        kept, note = _decided(answer, runs[job.robots[0]], runs[job.robots[1]])
        found[job.robots] = kept
        notes += [note] if note else []
    order = sorted(found, key=lambda pair: (pair[1], pair[0]))
    for pair, told in _elsewhere_too(runs, found, notes):
        found[pair] = []
        notes.append(told)
    return [closure for pair in order for closure in found[pair]], notes


def _elsewhere_too(
    runs: Sequence[RobotRun],
    found: Mapping[tuple[int, int], Sequence[Closure]],
    notes: Sequence[str | Refused],
) -> list[tuple[tuple[int, int], Refused]]:
    """Return the joins of two robots that rest on what stands in two places of a third one's map.

    A robot that saw two courts which are alike lies in two ways to one that saw the first, and to one that
    saw the second. Those two seem to have seen the same court, with nothing in their maps against it.
    """
    alike = {frozenset(n.robots): n.evidence for n in notes if isinstance(n, Refused) and n.alike}
    out = []
    for (a, b), closures in found.items():
        best = max(closures, key=lambda c: c.evidence, default=None)
        if best is None or best.evidence <= 0.0:
            continue
        one, two = runs[a], runs[b]
        for third in sorted({*chain(*alike)} - {one.name, two.name}):
            ways = [alike.get(frozenset((run.name, third)), 0.0) for run in (one, two)]
            if best.evidence - min(ways) < LEAST_LEAD * best.evidence:
                T = one.poses[best.keyframes[0]] @ best.T @ inverse(two.poses[best.keyframes[1]])
                missing = (
                    f"what agrees stands in more than one place of {third}'s map; "
                    "drive where these places differ"
                )
                told = Refused(
                    (one.name, two.name), best.shared, best.evidence, T, missing, alike=True
                )
                out.append(((a, b), told))
                break
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Two robots' maps to be matched, by any worker."""

    robots: tuple[int, int]
    runs: tuple[RobotRun, RobotRun]
    places: tuple[Sequence[Place], Sequence[Place]]
    settings: LocalizationSettings
    solved: Solved | None = None


def bare(run: RobotRun) -> RobotRun:
    """Return what of a run matching needs, so that no more than that travels to workers."""
    return replace(run, graph=SceneGraph(), mesh=None)


class Doubtful(NamedTuple):
    """Closures that too few objects say, until the surfaces are asked."""

    closures: list[Closure]
    T_1_2: Floats
    """(4, 4) coordinates of the second map → of the first."""
    at_1: Floats
    """(3,) where the maps were matched, in the first."""
    refused: Refused
    """What is to be said if surfaces do not prove it."""


def _decided(
    answer: list[Closure] | Doubtful | Refused | str, one: RobotRun, two: RobotRun
) -> tuple[list[Closure], str | Refused]:
    """Return the closures that hold of two maps, and what is to be said of those that do not."""
    if isinstance(answer, str | Refused):
        return [], answer
    if not isinstance(answer, Doubtful):
        return answer, ""
    seen = _overlaid(one, two, answer)
    if seen is not None and seen.holds:
        return [_laid(answer.closures[0], seen, one, two)], ""
    why = "they show too few surfaces in common" if seen is None else str(seen)
    missing = f"{answer.refused.missing}; {why}"
    return [], answer.refused._replace(missing=missing, told=True, lacking=seen is None)


def _overlaid(one: RobotRun, two: RobotRun, doubt: Doubtful) -> Overlay | None:
    """Return how two maps lie on one another, near where their objects say."""
    if one.mesh is None or two.mesh is None:
        return None
    first, second = Sight(one.mesh, one.poses[:, :3, 3]), Sight(two.mesh, two.poses[:, :3, 3])
    return overlay(first, second, doubt.T_1_2, doubt.at_1)


def _laid(closure: Closure, seen: Overlay, one: RobotRun, two: RobotRun) -> Closure:
    """Return a closure with what the surfaces say of the maps in place of the objects.

    It is of the maps, not of two submaps, so that objects seen again, which say less, do not replace it.
    """
    at_1, at_2 = one.poses[closure.keyframes[0]], two.poses[closure.keyframes[1]]
    return replace(
        closure,
        T=inverse(at_1) @ seen.T @ at_2,
        covariance=moved_covariance(seen.covariance, at_2),
        evidence=max(closure.evidence, SURFACES_EVIDENCE),
        submaps=OUTSIDE,
    )


@one_blas_thread
def match_two(job: Job) -> list[Closure] | Doubtful | Refused | str:
    """Return the closures between two robots, also those in doubt, or why they cannot be compared."""
    names = job.runs[0].name, job.runs[1].name
    try:
        one, two = comparable(*(run.objects for run in job.runs))
    except LocalizationError as error:
        return f"{' and '.join(names)} cannot be matched: {error}"
    places, settings = job.places, job.settings
    if not places[0] or not places[1]:
        return []
    matches = match_maps(
        one,
        places[0],
        make_atlas(two, places[1], settings.matching.appearance),
        settings.matching,
        job.solved,
    )
    joint = register_matches(matches, *places, settings.registration)
    count, evidence = len(joint.object_pairs), joint.log_evidence
    refused = Refused(names, count, evidence, inverse(joint.T_map2_map1) if count else None, "")
    if joint.verdict is Verdict.INCONSISTENT and count >= FEW_OBJECTS:
        return refused._replace(missing=_bent(count, settings.matching.places.gravity))
    needed = settings.registration
    if count < needed.join_objects or evidence < needed.evidence_to_join:
        # single matches prove nothing: places repeat themselves
        return _in_doubt(job, matches, joint, refused)
    rival = joint.log_evidence - joint.margin  # what speaks for the next best way to lay the maps
    alike = rival >= needed.evidence_to_join and joint.margin < LEAST_LEAD * joint.log_evidence
    if alike or not joint.accepted:
        return refused._replace(
            missing=f"they look alike in more than one way, {count} objects at best; "
            "drive where they differ, or through what another robot saw",
            alike=True,
        )
    return list(_closures(job, matches, joint))


def _bent(count: int, gravity: bool) -> str:
    """Return why maps whose objects agree are no rigid body seen twice."""
    lean = (
        " or leans: up has to be z in both (else --set localization.matching.places.gravity=false)"
        if gravity
        else ", or flat and upside down"
    )
    return f"{count} objects agree, but not as one rigid body: one map is a mirror image, stretched{lean}"


def _in_doubt(
    job: Job, matches: Sequence[Match], joint: Registration, refused: Refused
) -> list[Closure] | Doubtful | Refused:
    """Return the closures of few objects that surfaces may prove; else what they lack."""
    count, evidence, needed = refused.objects, refused.evidence, job.settings.registration
    said = (
        f"{count} objects agree ({needed.join_objects} needed), "
        f"with evidence {evidence:.0f} ({needed.evidence_to_join:g} needed)"
    )
    refused = refused._replace(missing=said, told=False, lacking=True)
    small = all(is_small(run.poses[:, :3, 3]) for run in job.runs)
    if not (small and job.settings.registration.surfaces):
        return refused
    if count < FEW_OBJECTS or evidence < LITTLE_EVIDENCE or joint.margin < LEAST_LEAD * evidence:
        return refused
    best = job.places[0][joint.matches[0].place1]
    closures = [c for c in _closures(job, matches, joint) if c.evidence > 0.0]
    if not closures:
        return refused
    return Doubtful(closures, inverse(joint.T_map2_map1), best.T_map_place[:3, 3], refused)


def _closures(job: Job, matches: Sequence[Match], joint: Registration) -> Iterator[Closure]:
    """Yield what the matches say that agree on how two robots lie, or that hold by themselves."""
    robots, runs, places = job.robots, job.runs, job.places
    agreed = {(m.place1, m.place2) for m in joint.matches}
    for match in matches:
        submaps = (match.place1, match.place2)
        if submaps in agreed or match.accepted:
            one, two = places[0][match.place1], places[1][match.place2]
            found = closure_of(
                SubmapPair(robots, submaps, runs, (one, two)),
                T_2_1=inverse(two.T_map_place) @ match.T_map2_map1 @ one.T_map_place,
                covariance=match.association.covariance,
                confidence=joint.confidence if submaps in agreed else match.association.confidence,
                pairs=match.association.pairs,
                evidence=joint.log_evidence if submaps in agreed else 0.0,
            )
            if tight(found):
                yield found


def keyframe_of(run: RobotRun, place: Place) -> int:
    """Return the keyframe nearest in time to a submap."""
    return int(np.abs(run.stamps_ns - place.stamp_ns).argmin())


def viewing_keyframe(run: RobotRun, place: Place, rows: Ints) -> int:
    """Return the keyframe from about which some objects of a submap were seen.

    Odometry between there and the submap's origin says nothing of how the objects lie to the robot.
    """
    home = keyframe_of(run, place)
    window = run.stamps_ns[np.abs(run.travel_m - run.travel_m[home]) <= WINDOW_M]
    objects = run.objects
    first, last = objects.first_seen_ns[rows], objects.last_seen_ns[rows]
    middle = np.clip(first // 2 + last // 2, window[0], window[-1])
    return int(np.abs(run.stamps_ns - np.median(middle)).argmin())


class SubmapPair(NamedTuple):
    """Two submaps of a team that may show the same."""

    robots: tuple[int, int]
    submaps: tuple[int, int]
    """Their numbers among each robot's own."""
    runs: tuple[RobotRun, RobotRun]
    places: tuple[Place, Place]


def closure_of(
    seen: SubmapPair,
    *,
    T_2_1: Floats,
    covariance: Floats,
    confidence: float,
    pairs: Ints,
    evidence: float,
) -> Closure:
    """Express what two submaps say of each other (p2 = T_2_1 p1, covariance at 1) between two keyframes.

    ``pairs`` (k, 2) are the rows of the objects that agree.
    """
    (one, two), (place_1, place_2) = seen.runs, seen.places
    i = viewing_keyframe(one, place_1, pairs[:, 0])
    j = viewing_keyframe(two, place_2, pairs[:, 1])
    T_1_i = inverse(place_1.T_map_place) @ one.poses[i]
    T_2_j = inverse(place_2.T_map_place) @ two.poses[j]
    T_j_i = inverse(T_2_j) @ T_2_1 @ T_1_i
    at_i = moved_covariance(TRUE_SHARE * covariance, T_1_i)
    return Closure(
        robots=seen.robots,
        keyframes=(i, j),
        T=inverse(T_j_i),
        covariance=moved_covariance(at_i, inverse(T_j_i)),
        confidence=confidence,
        shared=len(pairs),
        evidence=evidence,
        submaps=seen.submaps,
    )


def tight(closure: Closure) -> bool:
    """Return whether a closure fixes the relative pose well enough to be of use."""
    variance = np.diagonal(closure.covariance)
    return bool(variance[:2].max() < LOOSE_M**2 and variance[5] < np.radians(LOOSE_DEG) ** 2)


def moved_covariance(covariance: Floats, T_a_b: Floats) -> Floats:
    """Return the covariance of ξ_b given that of ξ_a, where exp(ξ_a) T_a_b = T_a_b exp(ξ_b)."""
    A = adjoint(inverse(T_a_b))
    return np.asarray(A @ covariance @ A.T)
