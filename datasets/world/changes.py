"""Changes of a world between two visits: things taken away, moved, and added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.labels import LABELS
from commonground.datasets.world.kinds import Kind
from commonground.datasets.world.model import Thing, World
from commonground.datasets.world.roads import segment_distance
from commonground.datasets.world.site import footprint_discs, standing
from commonground.geometry import yaw_of

TRIES = 60


def changed(world: World, kinds: Mapping[str, Kind], share: float, session: int) -> World:
    """Return the world as found in a later session: ``share`` of its movable things differ.

    A third each was taken away, moved to another place, and joined by a new one of its kind. Numbers of
    things stay; new ones get numbers never used before.
    """
    rng = np.random.default_rng([world.seed, 0xC4, session])
    movable = [t.index for t in world.things if t.movable]
    count = round(share * len(movable))
    chosen = rng.permutation(movable)[:count].tolist()
    visit = _Visit(world, kinds, rng)
    for k, index in enumerate(chosen):
        (visit.remove, visit.move, visit.add)[k % 3](index)
    return replace(
        world, things=tuple(visit.things.values()), session=session, changes=tuple(visit.lines)
    )


class _Visit:
    def __init__(self, world: World, kinds: Mapping[str, Kind], rng: np.random.Generator) -> None:
        self.world, self.kinds, self.rng = world, kinds, rng
        self.things = {t.index: t for t in world.things}
        self.discs = {t.index: _discs(t) for t in world.things}
        self.next_index = max(self.things) + 1
        self.lines: list[str] = []

    def remove(self, index: int) -> None:
        thing = self.things.pop(index)
        del self.discs[index]
        self._note("removed", thing)

    def move(self, index: int) -> None:
        old = self.things[index]
        del self.discs[index]
        moved = self._elsewhere(old, index)
        if moved is None:
            self.discs[index] = _discs(old)
            return
        self.things[index], self.discs[index] = moved, _discs(moved)
        self._note("moved", old)

    def add(self, index: int) -> None:
        new = self._elsewhere(self.things[index], self.next_index)
        if new is not None:
            self.things[new.index], self.discs[new.index] = new, _discs(new)
            self.next_index += 1
            self._note("added", new)

    def _note(self, what: str, thing: Thing) -> None:
        self.lines.append(f"{what} O{thing.index} {thing.kind}")

    def _elsewhere(self, like: Thing, index: int) -> Thing | None:
        """Return a thing like another at a free place 3–30 m away on the same kind of ground."""
        home, yaw = like.T_world_thing[:2, 3], float(yaw_of(like.T_world_thing))
        ground = self.world.ground
        surface = ground.surface_at([home])[0]
        vehicle = LABELS[like.label] == "vehicle"
        for _ in range(TRIES):
            if vehicle:  # into another stall of the row, or of the row across
                along = np.array([-np.sin(yaw), np.cos(yaw)])
                stalls = int(self.rng.choice([-1, 1])) * int(self.rng.integers(1, 10))
                xy = home + 2.7 * stalls * along
                turn = yaw + np.pi * float(self.rng.integers(2))
            else:
                way = self.rng.uniform(-np.pi, np.pi)
                xy = home + self.rng.uniform(3, 30) * np.array([np.cos(way), np.sin(way)])
                turn = float(self.rng.uniform(-np.pi, np.pi))
            thing = standing(
                index,
                like.kind,
                self.kinds[like.kind],
                like.shape,
                np.array([*xy, 0.0, turn]),
                ground,
            )
            if self._free(_discs(thing)) and ground.surface_at([xy])[0] == surface:
                return thing
        return None

    def _free(self, discs: Floats) -> bool:
        p, r = discs[:, :2], discs[:, 2]
        ground, lanes = self.world.ground, self.world.lanes
        inside = (p > ground.origin + r[:, None]) & (p < ground.origin + ground.extent - r[:, None])
        if not inside.all() or (ground.surface_at(p) == 0).any():
            return False
        # in a building the width of a road would leave no room for anything
        widths = lanes.widths if self.world.interiors else lanes.widths.max()
        a, b = lanes.nodes[lanes.edges[:, 0]], lanes.nodes[lanes.edges[:, 1]]
        if (segment_distance(p, a, b) < r[:, None] + widths / 2).any():
            return False
        others = np.concatenate(list(self.discs.values()))
        gap = np.linalg.norm(p[:, None] - others[None, :, :2], axis=-1)
        return bool((gap > r[:, None] + others[None, :, 2] + 0.15).all())


def _discs(thing: Thing) -> Floats:
    T = thing.T_world_thing
    return footprint_discs(thing.shape, T[:2, 3], float(yaw_of(T)))
