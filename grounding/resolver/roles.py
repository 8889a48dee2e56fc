"""Role assignment: every way to give the roles of an instruction to the robots of a team."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from commonground.errors import did_you_mean
from commonground.grounding.meaning import AVOIDING, TOLD, Assignment, Thing, Who
from commonground.grounding.resolver.anchors import ANY
from commonground.grounding.resolver.choice import Unclear, symbols_of
from commonground.grounding.resolver.geometry import distances, robot_anchor
from commonground.grounding.resolver.references import Resolver
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.resolver.wording import describe, listing
from commonground.grounding.world import World
from commonground.robots import Robot, Team

Roles = tuple[tuple[Robot, ...], ...]
"""The robots of each assignment."""
MAX_ROLES = 256


def all_roles(assignments: Sequence[Assignment], resolver: Resolver) -> list[Roles]:
    """Return every way to give out the assignments, likelier ones first; Unclear if there is none."""
    found = list(itertools.islice(_roles(assignments, 0, (), resolver), MAX_ROLES))
    if not found:
        raise Unclear("There are not enough robots for that. Who should do what?")
    distinct = [roles for roles in found if _someone_different(assignments, roles)]
    return distinct or found


def _roles(
    assignments: Sequence[Assignment], at: int, before: Roles, resolver: Resolver
) -> Iterator[Roles]:
    if at == len(assignments):
        yield before
        return
    for robots in _candidates(assignments[at], assignments[:at], before, resolver):
        yield from _roles(assignments, at + 1, (*before, robots), resolver)


def _candidates(
    told: Assignment, earlier: Sequence[Assignment], before: Roles, resolver: Resolver
) -> list[tuple[Robot, ...]]:
    who = told.who
    if keeps_all_out(told):
        return [tuple(resolver.world.team)]
    if who.choose == "told":
        return [_told(earlier, before)]
    if who.choose == "same":
        if before:
            return [_same(earlier, before)]
        who = replace(who, choose="one")
    robots = _able(who, _named(who, resolver.world))
    if who.near is not None and who.near != Thing():
        return [(_nearest(who, robots, resolver),)]
    if who.choose in ("each", "share"):
        return [tuple(robots)]
    if who.choose == "other":
        robots = _others(robots, _taken(earlier, before), resolver.world.team)
    return [(robot,) for robot in robots]


def keeps_all_out(told: Assignment) -> bool:
    """Return whether a ban is said to nobody: where it does not matter who drives, nobody may."""
    return told.who.is_anybody and getattr(told.task, "do", "") in AVOIDING


def _told(earlier: Sequence[Assignment], before: Roles) -> tuple[Robot, ...]:
    """Return every robot that is told to do something."""
    found = {
        robot.name: robot
        for robots, assignment in zip(before, earlier, strict=True)
        if not _only_told(assignment)
        for robot in robots
    }
    if not found:
        raise Unclear("Which robot is that for?")
    return tuple(found.values())


def _same(earlier: Sequence[Assignment], before: Roles) -> tuple[Robot, ...]:
    """Return who was spoken of last, rather by another assignment than a mere announcement."""
    pairs = list(zip(before, earlier, strict=True))
    return next((r for r, a in reversed(pairs) if not _only_told(a)), before[-1])


def _able(who: Who, robots: list[Robot]) -> list[Robot]:
    """Return the robots that have, or lack, the ability that was named."""
    if not who.can:
        return robots
    able = [r for r in robots if r.can(who.can) != who.cannot]
    if not able:
        raise Unclear(f"No robot here {'lacks' if who.cannot else 'has'} the ability to {who.can}.")
    return able


def _others(robots: list[Robot], taken: set[str], team: Team) -> list[Robot]:
    others = [r for r in robots if r.name not in taken]
    if not others:
        raise Unclear("There is no other robot.", list(team.robots))
    return others


def _named(who: Who, world: World) -> list[Robot]:
    """Return the robots named (all without names), without those left out."""
    out = {robot.name for robot in _by_name(who.but, world)}
    robots = _by_name(who.names, world) if who.names else list(world.team)
    found = [robot for robot in robots if robot.name not in out]
    if not found:
        raise Unclear("No robot is left for that.", list(world.team.robots))
    return found


def _by_name(names: Sequence[str], world: World) -> list[Robot]:
    """Return the robots called so; one whom nobody is called like is whom the speaker then chose."""
    robots = list(world.team)
    chosen = [robot for robot in robots if robot.name in world.answers]
    found = []
    for name in dict.fromkeys(names):
        robot = _called(name, robots)
        if robot is None and len(chosen) == 1:
            robot = chosen.pop()
        if robot is None:
            known = list(world.team.robots)
            hint = did_you_mean(name, known)
            who = ", ".join(known)
            raise Unclear(f"There is no robot called {name}. There are: {who}.{hint}", known)
        found.append(robot)
    return found


def _called(name: str, robots: Sequence[Robot]) -> Robot | None:
    """Return the robot of a name: its own, or the only one when articles and ``robot`` do not count."""
    exact = next((r for r in robots if r.name.lower() == name.lower()), None)
    alike = [r for r in robots if _bare(r.name) == _bare(name)]
    return exact or (alike[0] if len(alike) == 1 else None)


def _bare(name: str) -> str:
    """Return a name without case, spaces and what people say before it: ``the Crawler``, ``unit spot``."""
    plain = re.sub(r"[\s_-]+", " ", name.lower()).strip()
    return re.sub(r"^(?:the |our |robot |unit )+(?=[^\W\d_]{2})", "", plain).replace(" ", "")


def _only_told(assignment: Assignment) -> bool:
    task = assignment.task
    return getattr(task, "do", "") in TOLD and not assignment.who.names


def _taken(earlier: Sequence[Assignment], before: Roles) -> set[str]:
    """Return the robots that ``the other`` is not: the one that was spoken of last."""
    for assignment, robots in zip(reversed(earlier), reversed(before), strict=True):
        if len(robots) == 1 and assignment.who.choose != "other":
            return {robots[0].name}
    return set()


def _nearest(who: Who, robots: Sequence[Robot], resolver: Resolver) -> Robot:
    if who.near is None:
        raise Unclear("Nearest to what?")
    world = resolver.world
    meters = []
    for robot in robots:
        scope = Scope(robot)
        found = [world.find(s) for s in symbols_of(resolver.resolve(who.near, ANY, scope))]
        anchor = robot_anchor(robot)
        each = [
            float(distances(world, n, np.array([row]), anchor)[0]) for n, row in filter(None, found)
        ]
        meters.append(min(each))
    order = np.argsort(meters)
    order = order[::-1] if who.farthest else order
    if len(order) > 1 and abs(meters[order[0]] - meters[order[1]]) < resolver.settings.tie_m:
        names = [robots[int(i)].name for i in order[:2]]
        raise Unclear(
            f"{listing(names)} are equally far from {describe(who.near)}. Which is meant?", names
        )
    return robots[int(order[0])]


def _someone_different(assignments: Sequence[Assignment], roles: Roles) -> bool:
    """``One of you …, and one of you …``: two different ones, where the words allow it."""
    ones = [
        robots[0].name
        for assignment, robots in zip(assignments, roles, strict=True)
        if assignment.who.choose == "one" and not assignment.who.names and len(robots) == 1
        and not assignment.who.can and assignment.who.near is None
    ]  # fmt: skip
    return len(set(ones)) == len(ones) or len(ones) < 2
