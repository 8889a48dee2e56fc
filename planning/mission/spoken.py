"""What was said to whom, and what came of it: nothing that was spoken is lost on the way to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from commonground.planning.mission.events import Account, GivenUp
from commonground.planning.mission.remaining import all_of, lasts, parts_of
from commonground.planning.pddl import TRUE, Formula, nnf
from commonground.planning.scene.goal import Literal, literals, parse_goal
from commonground.planning.scene.precedence import TEAM
from commonground.planning.scene.vocabulary import is_result
from commonground.planning.scene.wording import in_words
from commonground.planning.team.bans import from_here
from commonground.planning.team.check import SharedState
from commonground.scene import SceneGraph


@dataclass(frozen=True, slots=True)
class Spoken:
    """A part of a goal, and the robot it was said to."""

    robot: str
    """``team`` where nobody in particular was addressed."""
    part: Formula
    anybody: bool = False
    """Whether the words leave to whoever is best placed who does it; the robot was only chosen first."""
    said: Formula | None = None
    """What was spoken first, where later words left only a part of it."""
    since: Mapping[str, Formula] = field(default_factory=dict)
    """What a ban asks of robots that it came too late for: they stood there when it was spoken."""
    over: bool = False
    """Whether nothing that is done now makes it true or false any more."""

    @property
    def named(self) -> bool:
        """Whether it was said to a robot by its name, so that another one may not simply do it."""
        return self.robot != TEAM and not self.anybody

    @property
    def bound(self) -> bool:
        """Whether only the robot that was addressed can fulfill it: it says where that one shall be."""
        return self.named and any(not is_result(x.predicate) for x in asked_in(self.part))

    @property
    def lasting(self) -> bool:
        """Whether it stays true once it is."""
        return all(x.positive and lasts(x.predicate) for x in literals(self.part))


@dataclass(frozen=True, slots=True)
class Truth:
    """When a part became true, and by whom; by nobody where it was so at first."""

    by: str
    at_s: float


def asked_in(part: Formula) -> frozenset[Literal]:
    """Return what a part asks for."""
    return frozenset(x for x in literals(part) if x.positive)


def spoken_in(
    goals: Mapping[str, Formula], leeway: Mapping[str, str], graph: SceneGraph
) -> tuple[Spoken, ...]:
    """Return what was said to whom, part by part; ``leeway`` has the parts that anybody may do."""
    free = {
        name: parts_of(nnf(parse_goal(text, graph, where=f"leeway of {name}")))[0]
        for name, text in leeway.items()
    }
    return tuple(
        Spoken(name, part, part in free.get(name, ()))
        for name, goal in goals.items()
        for part in (p for parts in parts_of(goal) for p in parts)
        if part != TRUE
    )


class Score:
    """What was spoken, and what of it is true by now."""

    def __init__(self, spoken: Sequence[Spoken], state: SharedState) -> None:
        self._state = state
        self.spoken = tuple(map(self._from_now, spoken))
        self._true: dict[int, Truth] = {}
        self._new = 0
        """Number of the first part of what was spoken last."""
        self.note(0.0, "")

    def note(self, now_s: float, by: str) -> None:
        """Note what is true after a robot has finished something."""
        for k, one in enumerate(self.spoken):
            if one.over or (k in self._true and one.lasting):
                continue
            who = self._whose(one, by)
            if who is None:
                self._true.pop(k, None)
            else:
                self._true.setdefault(k, Truth(who if by else "", now_s))

    def _whose(self, one: Spoken, by: str) -> str | None:
        """Return for whom a part is true, rather for the one that did something last; None for nobody."""
        robots = self._state.robots
        if one.bound or not asked_in(one.part):
            names = [one.robot] if one.robot in robots else list(robots)
            every = all(self._state.holds(n, one.since.get(n, one.part)) for n in names)
            return next(iter(names), one.robot) if every else None
        some = (name for name in (by, one.robot, *robots) if name in robots)
        return next((name for name in some if self._state.holds(name, one.part)), None)

    def _from_now(self, one: Spoken) -> Spoken:
        """Return what was spoken, with what a ban still asks of whom it comes too late for."""
        if asked_in(one.part):
            return one
        bound = {n: now for n, now in self._state.robots.items() if one.robot in (n, TEAM)}
        asks = {name: from_here(one.part, now) for name, now in bound.items()}
        return replace(one, since={n: part for n, part in asks.items() if part != one.part})

    def bans(self) -> dict[str, Formula]:
        """Return what robots were told to keep out of, and the team."""
        found: dict[str, Formula] = {}
        for one in self.spoken:
            if not asked_in(one.part) and not one.over:
                found[one.robot] = all_of(found.get(one.robot, TRUE), one.part)
        return found

    def passed_on(self) -> Iterator[Spoken]:
        """Yield what was said to a robot by its name, is open, and is as good if another one does it."""
        mine = (one for one in self.spoken if one.named and not (one.bound or one.over))
        yield from (one for one in mine if not self._state.holds(one.robot, one.part))

    @property
    def only_keeps_out(self) -> bool:
        """Whether what was spoken last only tells robots to keep out of something."""
        return not any(asked_in(one.part) for one in self.spoken[self._new :])

    def copied(self, state: SharedState) -> Score:
        """Return the same score of another state."""
        other = copy(self)
        other._state, other._true = state, dict(self._true)
        return other

    def restate(self, left: Callable[[Spoken, bool], Formula]) -> None:
        """Let later words leave of each part what they do, whether it is true or not.

        A ban that was broken stays so, whatever is done from now on.
        """
        restated = []
        for k, one in enumerate(self.spoken):
            true = k in self._true
            part = left(one, true)
            over = one.over or part == TRUE or not (true or asked_in(part))
            part = one.part if over else part
            restated.append(replace(one, part=part, said=one.said or one.part, over=over))
        self.spoken = tuple(restated)

    def add(self, now_s: float, more: Sequence[Spoken]) -> None:
        """Note what was spoken now, and what of it is so already."""
        self._new = first = len(self.spoken)
        self.spoken += tuple(map(self._from_now, more))
        for k, one in enumerate(self.spoken[first:], start=first):
            if self._whose(one, "") is not None:
                self._true[k] = Truth("", now_s)

    def said_to(self, part: Formula) -> list[str]:
        """Return the robots that were told by name to do something of a part."""
        return list(dict.fromkeys(one.robot for one in self._named_for(part)))

    def _named_for(self, part: Formula) -> list[Spoken]:
        asked = asked_in(part)
        return [x for x in self.spoken if x.named and not x.over and asked & asked_in(x.part)]

    def stays(self, robot: str, part: Formula) -> bool:
        """Return whether a part can only be fulfilled by the robot that has it."""
        return any(one.robot == robot and one.bound for one in self._named_for(part))

    def accounts(
        self, graph: SceneGraph, given_up: Sequence[GivenUp], end: str
    ) -> Iterator[Account]:
        """Yield what came of each part, with the mission's own reason where there is no better one."""
        for k, one in enumerate(self.spoken):
            said, true = in_words(one.said or one.part, graph), self._true.get(k)
            if true is not None:
                at_s = true.at_s if asked_in(one.part) else None
                yield Account(one.robot, said, true.by, at_s, done=True, free=not one.named)
            else:
                why = _why(one, given_up, graph) or end or "nobody did it"
                yield Account(one.robot, said, why=why, free=not one.named)


def _why(one: Spoken, given_up: Sequence[GivenUp], graph: SceneGraph) -> str:
    """Return why a part was given up; '' where nothing tells."""
    asked = asked_in(one.part)
    if not asked:
        return "it was not kept to"
    for lost in given_up:
        mine = not one.bound or lost.robot == one.robot
        if mine and lost.goal and asked & asked_in(nnf(parse_goal(lost.goal, graph))):
            return lost.why
    return next((lost.why for lost in given_up if lost.robot == one.robot), "")
