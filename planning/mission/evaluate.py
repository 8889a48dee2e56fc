"""Random missions under random faults: how many reach their goals, and what happened that must not."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from commonground.planning.mission.audit import audit
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Ask, Planned
from commonground.planning.mission.made_up import MadeUp, make_mission
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import simulate_mission
from commonground.planning.mission.truth import still_possible, unreached
from commonground.planning.mission.views import View
from commonground.planning.pddl import to_pddl


@dataclass(frozen=True, slots=True)
class Row:
    """One mission."""

    seed: int
    robots: int
    faults: str
    status: str
    reached: bool
    """Whether all goals are true in the world at the end."""
    possible: bool
    """Whether a part that was not reached could still have been."""
    honest: bool
    """Whether it says it is done only where that is so, and else gives a reason."""
    violations: int
    plans: int
    slowest_s: float
    """The slowest plan."""
    lasted_s: float
    reason: str


class TimedPlanner:
    """A planner that notes the rung of each of its plans, and its seconds by the clock and of a processor."""

    def __init__(self, planner: ScenePlanner) -> None:
        self._planner = planner
        self.took: list[tuple[str, float, float]] = []

    def plan(self, belief: SceneBelief, ask: Ask, views: Mapping[str, View]) -> Planned:
        """Return the planner's answer."""
        began, used = time.perf_counter(), time.process_time()
        planned = self._planner.plan(belief, ask, views)
        self.took.append((ask.rung, time.perf_counter() - began, time.process_time() - used))
        return planned


def missions(seeds: Sequence[int], places: int = 250, most_faults: int = 3) -> Iterator[Row]:
    """Yield how each mission went."""
    for seed in seeds:
        yield evaluated(seed, make_mission(seed, places, most_faults=most_faults))


def evaluated(seed: int, made: MadeUp) -> Row:
    """Carry out one mission and hold it against the world."""
    graph, team, goals, faults = made
    planner = TimedPlanner(ScenePlanner(seed))
    went = simulate_mission(graph, team, goals, faults, planner=planner)
    world = went.world
    missed = unreached(graph, team, goals, world)
    wrong = audit(graph, team, goals, world.moments, world.deeds)
    possible = any(still_possible(graph, goals, world, *part) for part in missed)
    status, reason = went.end.status, went.end.reason
    said = "; ".join(f"{name} {to_pddl(part)}" for name, part in missed)
    return Row(
        seed,
        len(team),
        " ".join(f.kind for f in faults),
        status,
        not missed,
        possible,
        (status != "done" or not missed) and bool(reason) == (status != "done"),
        len(wrong),
        len(planner.took),
        round(max(clock for _, clock, _ in planner.took), 3),
        round(world.now_s, 1),
        reason if not wrong else f"{wrong[0].what}; {reason}; {said}",
    )


@dataclass(frozen=True, slots=True)
class Summary:
    """All missions of a table."""

    missions: int
    reached: int
    could_have: int
    """Missions that did not reach their goal although a plan still existed."""
    share: float
    """Of the missions that reached their goal, among those and the ones that could have."""
    honest: int
    violations: int

    @staticmethod
    def of(rows: Sequence[Row]) -> Summary:
        """Return the sums of some rows."""
        reached = sum(r.reached for r in rows)
        could = sum(not r.reached and r.possible for r in rows)
        return Summary(
            len(rows),
            reached,
            could,
            reached / max(reached + could, 1),
            sum(r.honest for r in rows),
            sum(r.violations for r in rows),
        )
