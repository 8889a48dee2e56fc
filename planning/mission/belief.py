"""What a mission believes of a scene: the graph as it is now, what was done, and who saw what when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.errors import PlanningError
from commonground.planning.mission.believing import Surprise
from commonground.planning.mission.events import Account, GivenUp, Join, Planned
from commonground.planning.mission.joining import begin_anew, left_of, retold
from commonground.planning.mission.obstacles import Obstacle, edges_near
from commonground.planning.mission.remaining import all_of, remaining
from commonground.planning.mission.spoken import Score, Spoken, spoken_in
from commonground.planning.mission.task import Fact, Task
from commonground.planning.pddl import TRUE, Formula, nnf, satisfiable, to_pddl
from commonground.planning.robots.lines import along, meters_of
from commonground.planning.robots.protocol import REACH_M, Point, Sighting
from commonground.planning.scene.certificate import perform
from commonground.planning.scene.execution import Execution
from commonground.planning.scene.footing import grounded, host_row, place_at, place_layer
from commonground.planning.scene.goal import parse_goal
from commonground.planning.scene.plan import Action
from commonground.planning.scene.precedence import TEAM, Before, Precedence, parse_order
from commonground.planning.team.bans import bound_from_here
from commonground.planning.team.check import AWAY, SharedState
from commonground.planning.team.world import scene_after
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.gone import gone_things, searched_for, with_gone
from commonground.symbols import symbol_of

MOVED_M = 0.5
"""A thing seen nearer to where it should be than this is where it should be."""
BESIDE_M = 0.6
"""Places this near to the line that a robot has driven count as passed."""


ON_PLACE_M = 0.05
BACK_M = 2.0
"""A robot this near to the place it passed last begins its new way there."""


class Change(NamedTuple):
    """What was learned of the scene, by whom and when."""

    time_s: float
    robot: str
    text: str
    thing: str = ""
    """Symbol in the scene graph; empty for what the map did not know."""


@dataclass(slots=True)
class SceneBelief:
    """The scene as a mission believes it to be; changed only by what robots report and do."""

    graph: SceneGraph
    """With things where they were seen last; what is gone or held is still in it."""
    team: Team
    goals: dict[str, Formula]
    """Robot → what is its to do, in negation normal form; ``team`` until it is shared out."""
    state: SharedState
    score: Score
    """What was spoken, and what of it is true by now."""
    order: tuple[Precedence, ...] = ()
    """What of the goals has to be done before what."""
    obstacles: list[Obstacle] = field(default_factory=list)
    gone: dict[str, str] = field(default_factory=dict)
    """Thing → how it is known that it is not where it was."""
    searched: dict[str, list[str]] = field(default_factory=dict)
    """Thing → regions in which it was looked for."""
    searching: dict[str, str] = field(default_factory=dict)
    given_up: list[GivenUp] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @staticmethod
    def of(
        graph: SceneGraph,
        team: Team,
        goals: Mapping[str, str],
        order: Iterable[Before] = (),
        leeway: Mapping[str, str] | None = None,
    ) -> SceneBelief:
        """Return the belief before anybody moves; PlanningError for what is no goal.

        ``leeway`` has the parts of robots' goals that the words leave to whoever is best placed.
        """
        parsed = parsed_goals(goals, graph, team)
        gone, searched, graph = gone_things(graph), searched_for(graph), with_gone(graph, {})
        state = SharedState.of(graph, team)
        score = Score(spoken_in(parsed, leeway or {}, graph), state)
        wanted = parse_order(order, graph, parsed)
        own = bound_from_here(parsed, state)
        return SceneBelief(graph, team, own, state, score, wanted, gone=gone, searched=searched)

    def members(self) -> list[tuple[str, float, Point]]:
        return [
            (r.name, r.radius_m, (*r.position[:2].tolist(), float(r.position[2])))
            for r in self.team
        ]

    @property
    def layer(self) -> str:
        """The layer that robots drive on."""
        return place_layer(self.graph)

    def host(self, thing: str) -> str:
        """Return the place a thing lies on, or AWAY."""
        if thing in self.state.lies:
            return self.state.lies[thing]
        row = host_row(self.graph, self.layer, thing)
        return symbol_of(int(self.graph.layers[self.layer].ids[row]))

    def see(self, now_s: float, robot: str, sighting: Sighting) -> Surprise | None:
        if not sighting.thing:
            surprise = self._obstacle(sighting)
        elif sighting.thing not in self.graph.objects.symbols:
            return None
        elif sighting.absent:
            surprise = self._missing(now_s, robot, sighting)
        else:
            surprise = self._found(robot, sighting.thing, np.array(sighting.position, float))
        if surprise is not None:
            self.changes.append(Change(now_s, robot, surprise.text, sighting.thing))
        return surprise

    def beyond(self, task: Task, position: Point) -> str:
        """Return how far out of a robot's reach the thing or place of a deed is, else ''."""
        away_m = float(np.hypot(*np.subtract(task.path[-1], position)[:2]))
        far = f"{task.target} is {away_m:.1f} m away, out of reach"
        return far if not task.moves and away_m > REACH_M else ""

    def finish(self, now_s: float, task: Task) -> list[str]:
        """Let a finished task take effect; return what should not have been possible.

        A thing that is not where it was is in nobody's way there, and what a robot holds is where it is. Who
        went up to a thing that is elsewhere by now has only been at the place.
        """
        own = self.state.robots[task.robot]
        elsewhere = task.moves and any(map(self._is_elsewhere, task.needs))
        action = Action(
            task.kind,
            task.target,
            np.array(task.path, float),
            task.places,
            task.thing if task.kind in ("pick", "place") else "",
        )
        visited = set(own.objects)
        faults = perform(own, self.team[task.robot], action)
        if elsewhere:
            faults = [fault for fault in faults if task.target not in fault.split()]
            own.objects, own.at = visited, ""
        if task.kind == "pick" and own.holding == task.thing:
            self.state.lies[task.thing] = AWAY
        self.score.note(now_s, task.robot)
        passed = {f"the path touches {thing}" for thing in self.gone}
        away = {own.holding} | ({task.target} if self._within_reach(task) else set())
        passed |= {f"{thing} is not near the end of the path" for thing in away}
        return [fault for fault in faults if fault not in passed]

    def _is_elsewhere(self, need: Fact) -> bool:
        """Return whether a task needs a thing to lie where it is not; what is held is where its holder is."""
        if need[0] != "lies":
            return False
        _, thing, place = need
        held = (own.places[-1] for own in self.state.robots.values() if own.holding == thing)
        return thing in self.gone or next(held, self.host(thing)) != place

    def _within_reach(self, task: Task) -> bool:
        """Return whether a robot that went up to a thing reaches it; an obstacle may keep it that far off."""
        if not task.moves or task.target not in self.graph.objects.symbols:
            return False
        gap = np.subtract(self.graph.position(task.target), task.path[-1])
        return float(np.hypot(*gap[:2])) <= REACH_M

    def pass_by(self, task: Task, gone_m: float) -> None:
        """Note the places that lie behind a robot which did not finish its motion."""
        own = self.state.robots[task.robot]
        line, along = _dense(np.array(task.path, float))
        own.driven.append(line[along <= gone_m])
        own.at = ""
        for place in task.places:
            gap = np.linalg.norm(line - own.graph.position(place), axis=1)
            nearest = int(gap.argmin())
            if gap[nearest] < BESIDE_M and along[nearest] <= gone_m + ON_PLACE_M:
                own.places.append(place)

    def stand(self, name: str, position: Point) -> None:
        """Note where a robot stands from which it will be planned for.

        Between two places of a graph that tells no ground, that is the place it passed last.
        """
        own = self.state.robots[name]
        here = np.array(position, float)
        layer = self.graph.layers[self.layer]
        place = place_at(self.graph, self.layer, here)
        last = own.places[-1] if own.places else place
        on_it = float(np.linalg.norm(self.graph.position(place) - here)) <= ON_PLACE_M
        near = float(np.linalg.norm(own.graph.position(last) - here)) < BACK_M
        if on_it or layer.boundaries is not None or not near:
            last = place
        if own.places[-1:] != [last]:
            own.places.append(last)

    def holds(self, name: str, goal: Formula) -> bool:
        """Return whether a robot's goal is true now."""
        return self.state.holds(name, goal)

    def accounts(self, now_s: float, end: str = "") -> tuple[Account, ...]:
        for name in self.state.robots:  # what was passed on a way that was not driven to its end
            self.score.note(now_s, name)
        return tuple(self.score.accounts(self.graph, self.given_up, end))

    def unreached(self) -> list[str]:
        """Return the robots whose goals are not true now."""
        return [
            name for name, goal in self.goals.items() if name == TEAM or not self.holds(name, goal)
        ]

    def adopt(self, planned: Planned) -> None:
        if planned.assigned is not None:
            self.goals = {
                name: nnf(parse_goal(text, self.graph, where=f"goal of {name}"))
                for name, text in planned.assigned.items()
            }
        self.given_up += [part for part in planned.given_up if part not in self.given_up]
        self.searching = dict(planned.searching or {})

    def copied(self) -> SceneBelief:
        state = self.state.copied()
        return replace(
            self,
            goals=dict(self.goals),
            state=state,
            score=self.score.copied(state),
            obstacles=list(self.obstacles),
            gone=dict(self.gone),
            searched={thing: list(regions) for thing, regions in self.searched.items()},
            searching=dict(self.searching),
            given_up=list(self.given_up),
            changes=list(self.changes),
        )

    def take_in(self, now_s: float, more: Join) -> None:
        """Take in what is wanted besides: it counts what is done from now on, and what was wanted stays so.

        PlanningError for what is no goal; nothing is taken in then.
        """
        new = parsed_goals(more.goals, self.graph, self.team)
        spoken = spoken_in(new, more.leeway, self.graph)
        order = parse_order([*(pair.text for pair in self.order), *more.order], self.graph)
        for name in {deed.robot for pair in order for deed in pair}:
            _named(name, self.team)
        left = left_of(self.goals, new, self.state.robots, self.holds)

        def left_of_spoken(one: Spoken, true: bool) -> Formula:
            part = retold(one.robot, one.part, new, true=true)
            whose = self.state.robots.get(one.robot)
            return part if true or whose is None else remaining(part, whose)

        for name in self.state.robots:  # what was passed up to here counts
            self.score.note(now_s, name)
        self.score.restate(left_of_spoken)
        for name, own in self.state.robots.items():
            begin_anew(own, left.get(name, TRUE))
        new = bound_from_here(new, self.state)
        self.score.add(now_s, spoken)
        self.goals = left | {n: all_of(left.get(n, TRUE), goal) for n, goal in new.items()}
        self.order = order

    def take_up(self, robot: str, whys: tuple[str, ...]) -> list[str]:
        reasons = tuple(f"{robot} {why}" for why in whys)
        again = [p for p in self.given_up if p.robot == robot and p.why.startswith(reasons)]
        for part in again:
            self.given_up.remove(part)
            goal = nnf(parse_goal(part.goal, self.graph, where=f"goal of {robot}"))
            self.goals[robot] = all_of(self.goals.get(robot, TRUE), goal)
        return [part.part for part in again]

    def searched_in_vain(self) -> None:
        for thing, region in self.searching.items():
            self.searched.setdefault(thing, []).append(region)
        self.searching = {}

    def _obstacle(self, sighting: Sighting) -> Surprise | None:
        new = Obstacle(sighting.position, sighting.size_m / 2)
        if any(new.same_as(known) for known in self.obstacles):
            return None
        self.obstacles.append(new)
        thin = min(r.radius_m for r in self.team)
        layer = self.graph.layers[self.layer]
        shut = layer.edges.rows[edges_near(layer, new, thin)]
        ways = frozenset(
            ("way", symbol_of(int(layer.ids[a])), symbol_of(int(layer.ids[b])))
            for row in shut.tolist()
            for a, b in (row, row[::-1])
        )
        x, y, _ = sighting.position
        return Surprise(f"something stands at ({x:.1f}, {y:.1f})", ways)

    def _missing(self, now_s: float, robot: str, sighting: Sighting) -> Surprise | None:
        thing = sighting.thing
        if thing in self.gone or self.state.lies.get(thing) == AWAY:
            return None
        # an order may be older than what is known: where one looked says nothing of other places
        if float(np.hypot(*(self._at(thing) - np.array(sighting.position))[:2])) > REACH_M:
            return None
        place = self.host(thing)
        self.gone[thing] = f"{thing} was not at {place} when {robot} looked at {now_s:.0f} s"
        return Surprise(f"{thing} is not at {place}", frozenset({("lies", thing, place)}))

    def _at(self, thing: str) -> Floats:
        """Return where a thing lies, as far as is known (3,)."""
        at: Floats = self.graph.position(self.state.lies.get(thing, thing))
        return at

    def _found(self, robot: str, thing: str, at: Floats) -> Surprise | None:
        things = self.graph.objects
        row = things.row(thing)
        lost = thing in self.gone
        if self.state.lies.get(thing) == AWAY:
            own = self.state.robots[robot]
            if own.holding != thing:
                return None
            own.holding = ""  # who held it tells where it lost it
        elif not lost and float(np.hypot(*(self._at(thing) - at)[:2])) < MOVED_M:
            return None
        before = self.host(thing)
        self.gone.pop(thing, None)
        self.searching.pop(thing, None)
        self.state.lies.pop(thing, None)
        place = place_at(self.graph, self.layer, at)
        # the place it lies on first, then the very point where it was seen
        graph = scene_after(self.graph, self.layer, {thing: place})
        seen = graph.objects.moved([row], at - graph.objects.positions[row])
        self._exchange(graph.with_layer("objects", seen))
        held: frozenset[Fact] = frozenset({("holding", robot, thing)})
        if before == AWAY:
            return Surprise(f"{thing} fell from its gripper, at about {place}", held)
        text = f"{thing} is at {place}, not at {before}"
        return Surprise(text, frozenset({("lies", thing, before)}) - {("lies", thing, place)}, lost)

    def _exchange(self, graph: SceneGraph) -> None:
        self.graph = graph
        for name, own in self.state.robots.items():
            own.graph = grounded(graph, self.team[name])

    def execution(self, name: str) -> Execution:
        """Return what one robot did so far."""
        return self.state.robots[name]


def parsed_goals(goals: Mapping[str, str], graph: SceneGraph, team: Team) -> dict[str, Formula]:
    """Return robots' goals in negation normal form; PlanningError for what is none or contradicts itself."""
    found = {
        _named(name, team): nnf(parse_goal(text, graph, where=f"goal of {name}"))
        for name, text in goals.items()
    }
    for name, goal in found.items():
        if not satisfiable(goal):
            raise PlanningError(f"the goal of {name} contradicts itself: {to_pddl(goal)}")
    return found


def _named(name: str, team: Team) -> str:
    """Return whose goal has a name; ConfigError for a robot that there is not."""
    return name if name == TEAM else team[name].name


def _dense(line: Floats) -> tuple[Floats, Floats]:
    """Return points (k, 3) of a line, 5 cm apart, and how many meters along it each is (k,)."""
    gone = meters_of(line)
    at = np.union1d(np.arange(0.0, gone[-1], 0.05), gone)
    return along(line, at), at
