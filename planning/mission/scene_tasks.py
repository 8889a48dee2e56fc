"""Actions of a scene plan as tasks: what each of them needs, makes true and makes false."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.in_turn import facts_of
from commonground.planning.mission.scene_now import Scene, Start
from commonground.planning.mission.task import Fact, Task
from commonground.planning.robots.lines import length
from commonground.planning.robots.protocol import REACH_M, Point
from commonground.planning.scene.plan import Action, TeamPlan
from commonground.planning.scene.precedence import Precedence, regions_of
from commonground.planning.scene.vocabulary import done_by

WIDE_M = REACH_M - 0.1
"""The side of a wider thing is not looked for farther from its middle."""


def tasks_of(
    belief: SceneBelief,
    scene: Scene,
    found: TeamPlan,
    request: int,
    placed: frozenset[tuple[str, ...]] = frozenset(),
    order: Sequence[Precedence] = (),
) -> tuple[Task, ...]:
    """Return the tasks of a plan, robot after robot; waiting is not among them, passing rules do it.

    ``placed`` are the things that have to lie at places, (thing, place); ``order`` says what one robot
    waits for that another one does.
    """
    plans: Mapping[str, Sequence[Action]] = {n: p.actions for n, p in found.robots.items()}
    idle = scene.starts if any(plans.values()) else scene.held
    plans = {**dict.fromkeys(idle, ()), **plans}
    hosts = {
        thing: belief.host(thing) for thing in scene.graph.objects.symbols if thing in belief.graph
    }
    hosts |= {thing: scene.starts[name].place for name, thing in scene.held.items()}
    region_of = regions_of(scene.graph)
    in_turn: dict[str, tuple[frozenset[Fact], frozenset[Fact]]] = {}
    drafts: list[tuple[Task, str, str]] = []
    for name, planned in plans.items():
        at, last = "", scene.starts[name].place
        actions = _as_held(name, list(planned), plans, scene, placed)
        if any(plans.values()):
            actions = _from_its_place(actions, scene.starts[name])
        turns = facts_of(name, actions, order, region_of)
        for k, (action, turn) in enumerate(zip(actions, turns, strict=True)):
            task = _task(scene, name, f"{name}/{request}.{k}", action, first=k == 0)
            drafts.append((task, at, last))
            in_turn[task.key] = turn
            at = task.target if task.moves else at
            last = task.places[-1] if task.places else last
    facts = {
        task.key: _facts(task, at, last, hosts, scene)
        for task, at, last in sorted(drafts, key=lambda d: (d[0].start_s, d[0].end_s))
    }
    out = []
    for task, _, _ in drafts:
        needs, adds, drops = facts[task.key]
        waits, did = in_turn[task.key]
        out.append(replace(task, needs=needs | waits, adds=adds | did, drops=drops))
    return tuple(out)


def _from_its_place(actions: list[Action], start: Start) -> list[Action]:
    """Return actions before which a robot goes to its place: there the plan has it, idle robots too."""
    if len(start.lead) == 1 or (actions and actions[0].action == "goto"):
        return actions
    begin = actions[0].start_s if actions else 0.0
    line = np.array(start.lead)
    go = Action("goto", start.place, line, (start.place,), start_s=begin, end_s=begin)
    return [go, *actions]


def _as_held(
    name: str,
    actions: list[Action],
    plans: Mapping[str, Sequence[Action]],
    scene: Scene,
    placed: frozenset[tuple[str, ...]],
) -> list[Action]:
    """Return a robot's actions without waits, and without picking up what it holds already.

    What it holds and does not need next, or somebody else takes, or anybody works on, or has to lie here, it
    puts down first.
    """
    actions = [a for a in actions if a.action != "wait"]
    thing = scene.held.get(name)
    if thing is None:
        return actions
    mine = _picks(actions)
    lies = _is_worked_on(plans, thing)
    if mine and mine[0][1] == thing and not lies:
        k = mine[0][0]
        return actions[:k] + actions[k + 1 :]
    here = (thing, scene.starts[name].place) in placed
    if mine or here or lies or _is_taken(name, plans, thing):
        return _put_down_first(actions, scene, name, thing)
    return actions


def _is_worked_on(plans: Mapping[str, Sequence[Action]], thing: str) -> bool:
    """Return whether something is done to a thing that has to lie for it."""
    deeds = done_by().values()
    return any(a.target == thing and a.action in deeds for own in plans.values() for a in own)


def _is_taken(name: str, plans: Mapping[str, Sequence[Action]], thing: str) -> bool:
    """Return whether another robot takes a thing."""
    others = (own for other, own in plans.items() if other != name)
    return any(picked == thing for own in others for _, picked in _picks(own))


def _put_down_first(actions: list[Action], scene: Scene, name: str, thing: str) -> list[Action]:
    """Return actions before which a robot puts down what it holds, at its own place."""
    start = scene.starts[name]
    here = scene.graph.position(start.place)
    begin = actions[0].start_s if actions else 0.0
    lead = np.array([*start.lead[:1], here])
    go = Action("goto", start.place, lead, (start.place,), start_s=begin, end_s=begin)
    put = Action("place", start.place, here[None], item=thing, start_s=begin, end_s=begin)
    if actions and actions[0].action == "goto":
        line = np.vstack([here[None], actions[0].path_map])
        actions[0] = replace(actions[0], path_map=line)
    return [go, put, *actions]


def _picks(actions: Sequence[Action]) -> list[tuple[int, str]]:
    """Return the number of each action that picks something, and what."""
    return [(k, a.item or a.target) for k, a in enumerate(actions) if a.action == "pick"]


def _task(scene: Scene, name: str, key: str, action: Action, *, first: bool) -> Task:
    line = np.asarray(action.path_map, float)
    here, lead = scene.starts[name].lead[0], line[:1]
    if action.action == "goto" and first and not np.array_equal(line[0], here):
        line = np.vstack([here[None], line])
        lead = line[:2]
    elif action.action == "goto" and action.start_s == action.end_s:
        lead = line
    # the plan has the robot at its place when it begins, so the way there lies before
    start_s = action.start_s - length(lead) / scene.team[name].speed_mps
    if action.action != "goto":
        line = _where(scene, action)[None]
    return Task(
        key,
        name,
        action.action,
        action.target,
        _points(line),
        action.item if action.action in ("pick", "place") else "",
        action.places,
        start_s,
        action.end_s,
    )


def _where(scene: Scene, action: Action) -> Floats:
    """Return where the thing is that is worked on or picked, or the place where one is put.

    What is wide is worked on at its side: its middle may be out of reach for one that stands before it.
    """
    there: Floats = scene.beside.get(action.target, scene.graph.position(action.target))
    boxes = scene.graph.objects.boxes
    if action.action in ("pick", "place") or boxes is None:
        return there
    sizes = boxes.sizes[scene.graph.objects.row(action.target), :2]
    toward: Floats = np.asarray(action.path_map, float)[-1] - there
    gap = float(np.hypot(*toward[:2]))
    wide = float(np.nan_to_num(np.hypot(*sizes))) / 2
    side: Floats = there + toward * (min(wide, gap, WIDE_M) / max(gap, 1e-9))
    return side if gap > REACH_M else there


def _points(line: Floats) -> tuple[Point, ...]:
    return tuple((p[0], p[1], p[2]) for p in line.tolist())


def _facts(
    task: Task, at: str, last: str, hosts: dict[str, str], scene: Scene
) -> tuple[frozenset[Fact], frozenset[Fact], frozenset[Fact]]:
    """Return what a task needs, makes true and makes false; ``hosts`` follows where things lie."""
    name, thing = task.robot, task.thing
    here = ("at", name, task.target)
    if task.moves:
        steps = [last, *task.places]
        needs: set[Fact] = {("way", a, b) for a, b in itertools.pairwise(steps) if a != b}
        if thing in hosts:
            needs.add(("lies", thing, hosts[thing]))
        return frozenset(needs), frozenset({here}), frozenset({("at", name, at)} if at else ())
    lies = ("lies", thing, hosts.get(thing, ""))
    came = [name for name, deed in done_by().items() if deed == task.kind]
    if came:
        return frozenset({lies, here}), frozenset((fact, thing) for fact in came), frozenset()
    free, held = ("free", name), ("holding", name, thing)
    if task.kind == "pick":
        layer = scene.graph.objects
        wary = layer.metadata(layer.row(thing)).get("suspicious", False)
        known: set[Fact] = {("safe", thing)} if wary else set()
        hosts[thing] = ""
        return (frozenset({lies, here, free, *known}), frozenset({held}), frozenset({lies, free}))
    hosts[thing] = task.target
    return (
        frozenset({held, here}),
        frozenset({("lies", thing, task.target), free}),
        frozenset({held}),
    )
