"""Plans in the middle of a mission: for what is left of the goals, from where the robots stand, as tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Ask, GivenUp, Planned
from commonground.planning.mission.in_turn import still_ordered
from commonground.planning.mission.remaining import all_of, parts_of, remaining
from commonground.planning.mission.scene_now import Scene, scene_of
from commonground.planning.mission.scene_tasks import tasks_of
from commonground.planning.mission.shares import Shares, moved_by, not_managed, shares, takers
from commonground.planning.mission.views import View
from commonground.planning.pddl import FALSE, TRUE, And, Atom, Formula, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene.goal import literals, with_what_is_there
from commonground.planning.scene.plan import TeamPlan
from commonground.planning.scene.precedence import Precedence, for_robots
from commonground.planning.scene.wording import in_words, named
from commonground.planning.team.bans import standing_inside
from commonground.planning.team.planner import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.planning.team.world import things_in
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.symbols import symbol_of

Part = tuple[str, Formula]
"""A robot, and a part of its goal."""
MOST_SEARCHED = 6
"""So many regions are searched for a thing that is not where it was."""


@dataclass(frozen=True, slots=True)
class ScenePlanner:
    """Answers a mission's requests for plans.

    The time limit is one of work: a seed gives the same plans on every machine.
    """

    seed: int = 0
    time_limit_s: float = 1.2
    """Work for one plan; about a third of it is processor time."""
    part_limit_s: float = 0.4
    """Work for each trial where the goals are taken part by part."""

    def plan(self, belief: SceneBelief, ask: Ask, views: Mapping[str, View]) -> Planned:
        """Return the plan that was asked for, or why there is none."""
        scene = scene_of(belief, views)
        shared = shares(belief, ask, scene, views)
        if shared.reason:
            return Planned(ask.request, reason=shared.reason)
        goals = shared.goals
        wishes, searching, lost = sought(belief, scene, goals)
        wishes, order = still_ordered(belief, goals, wishes, lost)
        # who is in danger there is kept out, whatever that costs
        bans = ask.rung == "join" and belief.score.only_keeps_out
        if bans or ask.rung in ("less", "own"):
            wishes, failed, found = self._possible(belief, scene, shared, wishes, ask, views, order)
            lost += failed
        elif lost:
            return Planned(ask.request, reason=lost[0].why)
        else:
            wishes = {n: w for n, w in wishes.items() if not ask.robots or n in ask.robots}
            found = self._planned(scene, wishes, ask, order)
        if found.status is not Status.SOLVED:
            return Planned(ask.request, reason=_why_not(found))
        tasks = tasks_of(belief, scene, found, ask.request, _to_be_placed(wishes), order)
        kept = _left_of(goals, lost)
        assigned = {name: to_pddl(goal) for name, goal in kept.items()}
        told = _told_first(belief, goals, found) if ask.rung in ("first", "join") else []
        told += [f"“{one.part}” is given up: {one.why}" for one in lost if bans]
        told += _searches(searching, wishes, belief.graph)
        moved = tuple(moved_by(belief, found, kept, shared.why))
        return Planned(ask.request, tasks, "", assigned, searching, tuple(lost), moved, tuple(told))

    def _planned(
        self,
        scene: Scene,
        wishes: Mapping[str, Formula],
        ask: Ask,
        order: Sequence[Precedence] = (),
        limit_s: float | None = None,
    ) -> TeamPlan:
        """Return a plan for the robots that were asked for, or for all."""
        team = scene.team
        if ask.robots:
            team = Team({n: team[n] for n in ask.robots if n in team})
        return plan_scene(
            scene.graph,
            team,
            {n: to_pddl(w) for n, w in wishes.items() if w != TRUE},
            order=[
                pair.text
                for pair in for_robots(order, wishes)
                if {d.robot for d in pair} <= set(team.robots) and pair.is_asked(wishes)
            ],
            seed=self.seed + ask.request,
            time_limit_s=limit_s or self.time_limit_s,
            watch=WorkWatch(),
        )

    def _possible(
        self,
        belief: SceneBelief,
        scene: Scene,
        shared: Shares,
        wishes: Mapping[str, Formula],
        ask: Ask,
        views: Mapping[str, View],
        order: Sequence[Precedence],
    ) -> tuple[dict[str, Formula], list[GivenUp], TeamPlan]:
        """Return the goals with only those parts that can be reached together, what is lost, and the plan.

        What nobody can reach even for itself is left out first. The rest is mostly possible at once; where
        it is not, its parts are taken one after another as long as there is a plan. What a robot has to give
        up, each of the others is asked for that may do it instead.
        """
        avoided = {name: parts_of(wish)[1] for name, wish in wishes.items()}
        lost: list[GivenUp] = []

        def with_more(kept: Sequence[Part], more: Part) -> tuple[list[Part], TeamPlan | None]:
            """Return parts with one more, done by whoever can, and their plan; without it for nobody."""
            name, part = more
            why: dict[str, None] = {}
            for who in (name, *takers(belief, ask, shared, scene.team, name, part)):
                reason, tried = not_managed(who, views[who], part), None
                if not reason:
                    wanted = _joined([*kept, (who, part)], avoided)
                    tried = self._planned(scene, wanted, ask, order, self.part_limit_s)
                    reason = _why_not(tried)
                if not reason:
                    shared.hand_over(part, name, who, next(iter(why), ""))
                    return [*kept, (who, part)], tried
                why[reason] = None
            lost.append(_lost(name, part, "; ".join(why), scene.graph))
            return [*kept], None

        all_parts = ((name, part) for name, wish in wishes.items() for part in parts_of(wish)[0])
        parts = [part for more in all_parts for part in with_more((), more)[0]]
        together = _joined(parts, avoided)
        found = self._planned(scene, together, ask, order)
        if found.status is Status.SOLVED:
            return together, lost, found
        kept: list[Part] = []
        found = self._planned(scene, _joined((), avoided), ask)
        for more in parts:
            kept, tried = with_more(kept, more)
            found = tried or found
        return _joined(kept, avoided), lost, found


def _told_first(belief: SceneBelief, goals: Mapping[str, Formula], plan: TeamPlan) -> list[str]:
    """Return what is worth knowing before something new begins."""
    inside = standing_inside(belief.score.bans(), belief.state)
    return [*true_already(belief, goals, plan), *inside, *plan.assumed]


def _why_not(plan: TeamPlan) -> str:
    """Return why there is no plan, '' where there is one."""
    if plan.status is Status.SOLVED:
        return ""
    return plan.reason or f"no plan was found ({plan.status})"


def _joined(parts: Sequence[Part], avoided: Mapping[str, Sequence[Formula]]) -> dict[str, Formula]:
    """Return parts of goals as one goal for each robot that has any or avoids anything."""
    own: dict[str, list[Formula]] = {name: [] for name, bans in avoided.items() if bans}
    for name, part in parts:
        own.setdefault(name, []).append(part)
    return {name: And((*mine, *avoided.get(name, ()))) for name, mine in own.items()}


def _to_be_placed(wishes: Mapping[str, Formula]) -> frozenset[tuple[str, ...]]:
    """Return which things have to lie at which places."""
    found = (x for wish in wishes.values() for x in literals(wish))
    return frozenset(x.args for x in found if x.positive and x.predicate == "object-in-place")


def _lost(robot: str, part: Formula, why: str, graph: SceneGraph) -> GivenUp:
    return GivenUp(in_words(part, graph), why, robot, to_pddl(part))


def _left_of(goals: Mapping[str, Formula], lost: Sequence[GivenUp]) -> dict[str, Formula]:
    """Return robots' goals without the parts that were given up."""
    kept = {name: _without(name, goal, lost) for name, goal in goals.items()}
    return {name: goal for name, goal in kept.items() if goal != TRUE}


def _without(name: str, goal: Formula, lost: Sequence[GivenUp]) -> Formula:
    """Return a robot's goal without the parts that were given up."""
    names = {one.goal for one in lost if one.robot == name}
    to_do, avoided = parts_of(goal)
    return all_of(*(p for p in to_do if to_pddl(p) not in names), *avoided)


ENDS = ("in-region", "at-place", "at-object")
"""What tells where a robot is at the end."""


def true_already(
    belief: SceneBelief, goals: Mapping[str, Formula], plan: TeamPlan
) -> Iterator[str]:
    """Yield which parts of goals nobody has to do anything for, about things that no plan handles."""
    acts = [a for p in plan.robots.values() for a in p.actions if a.action != "goto"]
    handled = {a.item or a.target for a in acts}
    for name, goal in goals.items():
        for part in parts_of(goal)[0]:
            moves = name in plan.robots and bool(plan.robots[name].actions)
            if moves and any(one.predicate in ENDS for one in literals(part)):
                continue  # it leaves, and comes back
            if belief.holds(name, part) and things_in(part).isdisjoint(handled):
                said = in_words(part, belief.graph)
                yield f"{name} has nothing to do for “{said}”: the map has it so already"


def nothing_to_do(graph: SceneGraph, team: Team, plan: TeamPlan) -> list[str]:
    """Return which parts of a plan's goals are true before it, and nobody has anything to do for them."""
    belief = SceneBelief.of(graph, team, {n: p.goal for n, p in plan.robots.items() if p.goal})
    for robot in team:
        belief.stand(robot.name, tuple(robot.position.tolist()))
    return list(true_already(belief, belief.goals, plan))


def _searches(
    searching: Mapping[str, str], wishes: Mapping[str, Formula], graph: SceneGraph
) -> Iterator[str]:
    """Yield who looks for what, and in which region."""
    for thing, region in searching.items():
        look = ("explored-region", (region,))
        who = [
            n for n, w in wishes.items() if any((x.predicate, x.args) == look for x in literals(w))
        ]
        looks = "looks" if len(who) == 1 else "look"
        yield f"{' and '.join(who)} {looks} for {thing} in {named(region, graph)}"


# ---- what is left to plan for ----


def sought(
    belief: SceneBelief, scene: Scene, goals: Mapping[str, Formula]
) -> tuple[dict[str, Formula], dict[str, str], list[GivenUp]]:
    """Return what is left to plan for, what is looked for where, and the parts that cannot be reached."""
    wishes: dict[str, Formula] = {}
    searching: dict[str, str] = {}
    lost: list[GivenUp] = []
    for name, goal in goals.items():
        if name not in scene.team:
            why = scene.absent.get(name, "no robot is left")
            left = [p for p in parts_of(goal)[0] if not belief.holds(name, p)]
            lost += [_lost(name, p, why, belief.graph) for p in left]
            continue
        to_do, avoided = parts_of(remaining(goal, belief.execution(name)))
        wanted: list[Formula] = []
        for part in to_do:
            present = with_what_is_there(part, scene.graph)
            if present != FALSE:
                wanted.append(present)
                continue
            thing = next(a for a in sorted(things_in(part)) if a not in scene.graph)
            region = searching.get(thing) or _next_region(belief, thing, avoided)
            if region:
                searching[thing] = region
                wanted.append(Atom("explored-region", (region,)))
            else:
                lost.append(_lost(name, part, _why_gone(belief, scene, thing), belief.graph))
        shown = [with_what_is_there(a, scene.graph) for a in avoided]
        wishes[name] = all_of(*wanted, *shown)
    return wishes, searching, lost


def _next_region(belief: SceneBelief, thing: str, avoided: Sequence[Formula]) -> str:
    """Return the nearest region in which a thing was not looked for yet; '' where enough was searched."""
    tried = belief.searched.get(thing, [])
    graph = belief.graph
    if thing not in belief.gone or len(tried) >= MOST_SEARCHED or not graph.has("regions"):
        return ""
    shut = {x.args[0] for part in avoided for x in literals(part)}
    region = graph.ancestors(belief.layer, "regions")
    at = graph.layers[belief.layer].positions
    gap = np.linalg.norm(at - graph.position(thing), axis=1)
    for row in np.argsort(gap, kind="stable").tolist():
        if region[row] >= 0:
            symbol = symbol_of(int(graph.regions.ids[region[row]]))
            if symbol not in tried and symbol not in shut:
                return symbol
    return ""


def _why_gone(belief: SceneBelief, scene: Scene, thing: str) -> str:
    if thing in scene.beside:
        x, y, _ = scene.beside[thing]
        return f"what stands by {thing} at ({x:.1f}, {y:.1f}) keeps all robots out of reach of it"
    if thing not in belief.gone:
        return f"{thing} is in the gripper of a robot that takes no part any more"
    where = ", ".join(belief.searched.get(thing, []))
    return belief.gone[thing] + (f", and is not in {where}" if where else "")
