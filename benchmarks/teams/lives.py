"""Random teams, and goals that are surely within their reach: what robots come to that wander about."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import from_xyz_yaw
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph
from teams.scenes import ABLE, cells_of, drawn, layer_of

DEEDS = 4
"""What a robot does on the average before it is asked to do the like."""
ROOM_M = 0.06
AVOIDING = 0.3
"""Share of the robots that avoid a place."""


def case(kind: str, rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str]]:
    """Return a random scene, a team of unlike robots, and goals that are surely within its reach."""
    cells = cells_of(kind, rng)
    graph = drawn(cells, rng, 4)
    places = graph.layers[layer_of(graph)]
    most = {"field": 9, "crowd": 9, "corridor": 4, "ring": 6}[kind]
    count = int(rng.integers(2, most))
    starts = rng.choice(len(cells), count, replace=False)
    team = Team(
        {
            f"r{k}": Robot(
                f"r{k}",
                from_xyz_yaw([*places.positions[row], 0.0]),
                ABLE,
                radius_m=float(rng.choice([0.15, 0.25, 0.35])),
                speed_mps=float(rng.choice([0.5, 1.0, 1.5])),
            )
            for k, row in enumerate(starts)
        }
    )
    return graph, team, Lives(graph, team, starts.tolist(), len(cells), rng).goals()


class Lives:
    """Robots that wander about, one at a time, and do things: what comes of it is what they are asked to do.

    Nobody comes too near anybody who stands, so that a plan surely exists.
    """

    def __init__(
        self,
        graph: SceneGraph,
        team: Team,
        starts: list[int],
        ground: int,
        rng: np.random.Generator,
    ) -> None:
        self.graph, self.team, self.rng = graph, list(team), rng
        layer = layer_of(graph)
        self.at = graph.layers[layer].positions[:ground]
        self.symbols = graph.layers[layer].symbols
        self.next = [
            [int(q) for q in graph.neighbors(layer, p) if q < ground] for p in range(ground)
        ]
        self.lies = graph.parents("objects", layer).tolist()
        self.points = [np.asarray(p) for p in graph.objects.positions]
        self.stands = list(starts)
        self.shut = [
            int(rng.integers(ground)) if rng.random() < AVOIDING else -1 for _ in self.team
        ]
        self.shut = [p if p != start else -1 for p, start in zip(self.shut, starts, strict=True)]
        self.seen = [{start} for start in starts]
        self.holds: list[int] = [-1 for _ in self.team]
        self.did: list[dict[str, str]] = [{} for _ in self.team]

    def goals(self) -> dict[str, str]:
        """Return what the robots have come to after a while."""
        for _ in range(DEEDS * len(self.team)):
            self._live(int(self.rng.integers(len(self.team))))
        goals = {}
        for k, robot in enumerate(self.team):
            facts = [f"(at-place {self.symbols[self.stands[k]]})"] * 3
            facts += [f"(visited-place {self.symbols[int(self.rng.choice(sorted(self.seen[k])))]})"]
            facts += sorted(self.did[k].values())
            asked = self.rng.choice(facts, int(self.rng.integers(3)))
            if len(asked):
                avoided = self.shut[k]
                told = [] if avoided < 0 else [f"(not (visited-place {self.symbols[avoided]}))"]
                goals[robot.name] = f"(and {' '.join([*dict.fromkeys(asked.tolist()), *told])})"
        return goals

    def _live(self, k: int) -> None:
        """Let a robot drive to a place or to a thing, and do something there."""
        thing = int(self.rng.integers(len(self.lies)))
        carries = self.holds[k] >= 0
        around = self._within_reach(k)
        if carries or self.lies[thing] not in around or self.rng.random() < 0.3:
            self._arrive(k, around, int(self.rng.choice(sorted(around))))
            if carries and self.rng.random() < 0.8:
                thing, self.holds[k] = self.holds[k], -1
                self.lies[thing], self.points[thing] = self.stands[k], self.at[self.stands[k]]
                self._did(k, thing, f"(object-in-place O{thing} {self.symbols[self.stands[k]]})")
            return
        if not self._free(k, self.at[self.lies[thing]], self.points[thing]):
            return
        self._arrive(k, around, self.lies[thing])
        if self.rng.random() < 0.5:
            self.did[k][f"safe {thing}"] = f"(safe O{thing})"
        else:
            self.lies[thing], self.holds[k] = -1, thing
            self._did(k, thing, f"(holding O{thing})")

    def _did(self, k: int, thing: int, fact: str) -> None:
        """Note where a thing is now; what was said of it before is no longer so."""
        for told in self.did:
            told.pop(f"moved {thing}", None)
        self.did[k][f"moved {thing}"] = fact

    def _within_reach(self, k: int) -> dict[int, int]:
        """Return the places a robot can get to, and for each the one before it."""
        before, front = {self.stands[k]: -1}, [self.stands[k]]
        for p in front:
            for q in self.next[p]:
                if q not in before and q != self.shut[k] and self._free(k, self.at[p], self.at[q]):
                    before[q] = p
                    front.append(q)
        return before

    def _arrive(self, k: int, before: dict[int, int], place: int) -> None:
        self.stands[k] = place
        while place >= 0:
            self.seen[k].add(place)
            place = before[place]

    def _free(self, k: int, a: Floats, b: Floats) -> bool:
        """Return whether a robot may drive from a to b straight, the others standing where they do."""
        share = np.linspace(0.0, 1.0, 21)[:, None]
        line = (a + share * (b - a))[:, :2]
        return all(
            np.linalg.norm(line - self.at[p, :2], axis=1).min() > r.radius_m + mine + ROOM_M
            for mine in [self.team[k].radius_m]
            for other, (r, p) in enumerate(zip(self.team, self.stands, strict=True))
            if other != k
        )
