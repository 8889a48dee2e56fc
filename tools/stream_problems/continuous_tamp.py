"""Blocks on a line: grasps, poses, arm configurations and motions are sampled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from commonground.planning.streams.generators import from_fn, from_gen_fn, from_test
from commonground.planning.streams.language import TOTAL_COST, And, Equal, Expression, PDDLProblem

_DOMAIN = """
(define (domain blocks-on-a-line)
  (:predicates (arm ?r) (block ?b) (region ?s) (pose ?b ?p) (grasp ?b ?g) (conf ?q)
    (within ?b ?p ?s) (kin ?b ?q ?p ?g) (motion ?q1 ?t ?q2) (apart ?b1 ?p1 ?b2 ?p2) (may-stand ?b ?s)
    (at-pose ?b ?p) (in-hand ?r ?b ?g) (at-conf ?r ?q) (empty ?r) (may-move ?r)
    (in ?b ?s) (crowded ?b ?p))
  (:functions (length ?t))
  (:action move :parameters (?r ?q1 ?t ?q2)
    :precondition (and (arm ?r) (motion ?q1 ?t ?q2) (at-conf ?r ?q1) (may-move ?r))
    :effect (and (at-conf ?r ?q2) (not (at-conf ?r ?q1)) (not (may-move ?r))
      (increase (total-cost) (length ?t))))
  (:action pick :parameters (?r ?b ?p ?g ?q)
    :precondition (and (arm ?r) (kin ?b ?q ?p ?g) (at-conf ?r ?q) (at-pose ?b ?p) (empty ?r))
    :effect (and (in-hand ?r ?b ?g) (may-move ?r) (not (at-pose ?b ?p)) (not (empty ?r))
      (increase (total-cost) 10)))
  (:action place :parameters (?r ?b ?p ?g ?q)
    :precondition (and (arm ?r) (kin ?b ?q ?p ?g) (at-conf ?r ?q) (in-hand ?r ?b ?g)
      (not (crowded ?b ?p)))
    :effect (and (at-pose ?b ?p) (empty ?r) (may-move ?r) (not (in-hand ?r ?b ?g))
      (increase (total-cost) 10)))
  (:derived (in ?b ?s) (exists (?p) (and (within ?b ?p ?s) (at-pose ?b ?p))))
  (:derived (crowded ?b1 ?p1) (exists (?b2 ?p2) (and (pose ?b1 ?p1) (pose ?b2 ?p2) (not (= ?b1 ?b2))
    (at-pose ?b2 ?p2) (not (apart ?b1 ?p1 ?b2 ?p2))))))
"""

_STREAMS = """
(define (stream blocks-on-a-line)
  (:function (length ?t) (trajectory ?t))
  (:stream sample-grasp :inputs (?b) :domain (block ?b) :outputs (?g) :certified (grasp ?b ?g))
  (:stream sample-pose :inputs (?b ?s) :domain (may-stand ?b ?s) :outputs (?p)
    :certified (and (pose ?b ?p) (within ?b ?p ?s)))
  (:stream test-within :inputs (?b ?p ?s) :domain (and (pose ?b ?p) (may-stand ?b ?s))
    :certified (within ?b ?p ?s))
  (:stream inverse-kinematics :inputs (?b ?p ?g) :domain (and (pose ?b ?p) (grasp ?b ?g)) :outputs (?q)
    :certified (and (conf ?q) (kin ?b ?q ?p ?g)))
  (:stream plan-motion :inputs (?q1 ?q2) :domain (and (conf ?q1) (conf ?q2)) :outputs (?t)
    :certified (and (trajectory ?t) (motion ?q1 ?t ?q2)))
  (:stream test-apart :inputs (?b1 ?p1 ?b2 ?p2) :domain (and (pose ?b1 ?p1) (pose ?b2 ?p2))
    :certified (apart ?b1 ?p1 ?b2 ?p2)))
"""

WIDTH, HEIGHT, CARRY = 2.0, 2.0, 5.0
GROUND, RED = "ground", "red"
REGIONS = {GROUND: (-10.0, 10.0), RED: (5.0, 10.0)}


@dataclass(frozen=True, slots=True)
class World:
    """Where blocks stand, and what is wanted."""

    poses: Mapping[str, float]
    wanted: Mapping[str, str | float]
    """The region or the position of some blocks at the end."""
    arms: int = 1
    regions: Mapping[str, tuple[float, float]] = field(default_factory=lambda: REGIONS)


def make_problem(world: World, rng: np.random.Generator) -> PDDLProblem:
    """Return the problem of a world."""
    homes = [np.array([-5.0 * (-1) ** i, CARRY + 1]) for i in range(world.arms)]
    start = {name: np.array([x, 0.0]) for name, x in world.poses.items()}
    fixed = {n: np.array([x, 0.0]) for n, x in world.wanted.items() if not isinstance(x, str)}
    init: list[Expression] = [Equal((TOTAL_COST,), 0)]
    for index, home in enumerate(homes):
        arm = f"arm{index}"
        init += [
            ("arm", arm),
            ("conf", home),
            ("at-conf", arm, home),
            ("empty", arm),
            ("may-move", arm),
        ]
    for name, pose in start.items():
        init += [
            ("block", name),
            ("pose", name, pose),
            ("at-pose", name, pose),
            ("may-stand", name, GROUND),
        ]
    init += [("region", name) for name in world.regions]
    init += [("pose", name, pose) for name, pose in fixed.items()]
    init += [("may-stand", name, r) for name, r in world.wanted.items() if isinstance(r, str)]
    goals: list[Expression] = [("at-conf", f"arm{i}", home) for i, home in enumerate(homes)]
    for name, where in world.wanted.items():
        goals.append(
            ("in", name, where) if isinstance(where, str) else ("at-pose", name, fixed[name])
        )
    return PDDLProblem(_DOMAIN, {}, _STREAMS, _procedures(world, rng), init, And(*goals))


def _procedures(world: World, rng: np.random.Generator) -> dict[str, Any]:
    def sample_pose(_block: str, region: str) -> Iterator[tuple[Any]]:
        low, high = world.regions[region]
        while high - low >= WIDTH:
            yield (np.array([rng.uniform(low + WIDTH / 2, high - WIDTH / 2), 0.0]),)

    def is_within(_block: str, pose: Any, region: str) -> bool:
        low, high = world.regions[region]
        return bool(low <= pose[0] - WIDTH / 2 and pose[0] + WIDTH / 2 <= high)

    def plan_motion(q1: Any, q2: Any) -> tuple[Any]:
        return (np.array([q1, [q1[0], CARRY + 1], [q2[0], CARRY + 1], q2]),)

    return {
        "sample-grasp": from_fn(lambda _block: (np.array([0.0, -HEIGHT - 0.5]),)),
        "sample-pose": from_gen_fn(sample_pose),
        "test-within": from_test(is_within),
        "inverse-kinematics": from_fn(lambda _block, pose, grasp: (pose - grasp,)),
        "plan-motion": from_fn(plan_motion),
        "test-apart": from_test(lambda b1, p1, b2, p2: bool(abs(p1[0] - p2[0]) > WIDTH)),
        "length": lambda path: float(10.0 + np.abs(np.diff(path, axis=0)).sum()),
    }


def tight(blocks: int = 2, goals: int = 2, *, seed: int = 0) -> PDDLProblem:
    """Return the task to fit some blocks into a region that is barely long enough for two."""
    names = "abcdefgh"[:blocks]
    poses = {name: -(WIDTH + 1) * i for i, name in enumerate(names)}
    world = World(poses, dict.fromkeys(names[:goals], RED))
    return make_problem(world, np.random.default_rng(seed))


def blocked(blocks: int = 3, *, seed: int = 0) -> PDDLProblem:
    """Return the task to put a block where another one stands in the way."""
    names = "abcdefgh"[:blocks]
    spare = [-10 + WIDTH / 2 + (WIDTH + 1) * i for i in range(blocks - 2)]
    world = World(dict(zip(names, [0.0, 7.5, *spare], strict=True)), {names[0]: RED})
    return make_problem(world, np.random.default_rng(seed))


def mirror(blocks: int = 1, *, seed: int = 0) -> PDDLProblem:
    """Return the task to move blocks to the mirror images of their positions with two arms."""
    names = "abcdefgh"[:blocks]
    poses = {name: -(WIDTH + 1) * i - WIDTH for i, name in enumerate(names)}
    world = World(poses, {name: -x for name, x in poses.items()}, arms=2)
    return make_problem(world, np.random.default_rng(seed))
