"""Worlds made from their settings."""

from __future__ import annotations

from commonground.config import validated
from commonground.datasets.settings import WorldSettings
from commonground.datasets.world.model import World

DEFAULT_SIZE_M = {"campus": 200.0, "office": 45.0, "hybrid": 140.0}
DEFAULT_OBJECTS = {"campus": 380, "office": 260, "hybrid": 420}


def make_world(
    kind: str = "campus",
    seed: int = 0,
    *,
    size_m: float | None = None,
    objects: int | None = None,
    changes: float = 0.2,
    session: int = 0,
) -> World:
    """Return a world of a kind; the same arguments give the same world.

    Session 0 is the world as made; in any other a share ``changes`` of what can be moved differs from it.
    """
    values = {
        "kind": kind,
        "seed": seed,
        "size_m": size_m,
        "objects": objects,
        "changes": changes,
        "session": session,
    }
    return world_of(validated(WorldSettings, values, {}, "world"))


def world_of(settings: WorldSettings) -> World:
    from commonground.datasets.world.campus import make_campus, make_hybrid
    from commonground.datasets.world.changes import changed
    from commonground.datasets.world.indoor import INDOOR
    from commonground.datasets.world.office import make_office
    from commonground.datasets.world.outdoor import OUTDOOR

    make, kinds = {
        "campus": (make_campus, OUTDOOR),
        "office": (make_office, INDOOR),
        "hybrid": (make_hybrid, {**INDOOR, **OUTDOOR}),
    }[settings.kind]
    size_m = settings.size_m or DEFAULT_SIZE_M[settings.kind]
    objects = settings.objects or DEFAULT_OBJECTS[settings.kind]
    world = make(settings.seed, size_m, objects)
    return changed(world, kinds, settings.changes, settings.session) if settings.session else world
