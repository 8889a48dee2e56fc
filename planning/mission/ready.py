"""What planning loads at its first use is loaded before robots drive, so that no repair waits for it."""

from __future__ import annotations

import threading

import numpy as np

from commonground.compiled import unannounced
from commonground.planning.mission.made_up import make_mission
from commonground.planning.pddl import And, Atom
from commonground.planning.scene.allocation import allocate
from commonground.planning.team.planner import plan_scene
from commonground.planning.team.watch import WorkWatch

CROSSING = 3
"""The seed of a made-up mission of two robots whose ways cross."""


def get_ready() -> None:
    """Plan for a team, past each other and with goals shared out, once and for nothing."""
    graph, team, goals, _ = make_mission(CROSSING, places=60, most_faults=0)
    plan_scene(graph, team, goals, watch=WorkWatch())
    if not threading.main_thread().is_alive():  # the program waits for this to end
        return
    visits = And(tuple(Atom("visited-place", (p,)) for p in graph.surface_places.symbols[:3]))
    allocate(graph, team, visits, np.random.default_rng(0))


def get_ready_meanwhile() -> None:
    """Do so beside what goes on: a plan is shown and approved first, which takes a person longer.

    A program that ends meanwhile waits for it: one that tears a thread out of compiled code is aborted.
    """
    threading.Thread(target=unannounced()(get_ready), name="get-ready").start()
