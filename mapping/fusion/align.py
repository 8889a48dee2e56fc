"""The paths of all robots in common frames: closures found blindly, then looked for where they must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.localization.places import submap_places
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.closures import Closure, find_closures, team_graph
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.ranging import ranged
from commonground.mapping.fusion.revisits import look_again
from commonground.mapping.fusion.robust import Optimized, optimize

LOOKS = 2
"""How often submaps are looked at where the optimized paths put them."""


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """The paths of a team, and what put them there."""

    closures: list[Closure]
    posegraph: PoseGraph
    optimized: Optimized
    notes: tuple[str, ...]


def align(
    runs: Sequence[RobotRun], settings: LocalizationSettings, rng: np.random.Generator
) -> Aligned:
    """Return the optimized paths of robots, in one frame as far as closures join them.

    Closures between robots are first found without knowing their frames; the paths optimized with
    them say which submaps lie near one another, and these are looked at once more.
    """
    runs = [replace(run, odometry=ranged(run)) for run in runs]
    places = [submap_places(run.objects, settings.matching.places) for run in runs]
    blind, notes = find_closures(runs, places, settings)
    closures = blind
    posegraph = team_graph(runs, closures)
    optimized = optimize(posegraph, rng)
    for _ in range(LOOKS):
        seen = look_again(runs, places, posegraph, optimized, settings.matching)
        closures = _joined(blind, seen)
        posegraph = team_graph(runs, closures)
        optimized = optimize(posegraph, rng)
    return Aligned(closures, posegraph, optimized, tuple(notes))


def _joined(blind: Sequence[Closure], seen: Sequence[Closure]) -> list[Closure]:
    """Return both kinds of closures; what was looked at again is more exact than the blind match."""
    again = {(c.robots, c.submaps) for c in seen}
    return [*(c for c in blind if (c.robots, c.submaps) not in again), *seen]
