"""Which task may begin, and how far each robot may drive: what rests on what, and who passes whom first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from commonground.planning.mission.crew import Member
from commonground.planning.mission.links import Link, broken_by, causal_links, waits_of
from commonground.planning.mission.task import Fact, Task
from commonground.planning.mission.traffic import (
    AHEAD_M,
    EPS_M,
    FOREIGN_M,
    Rule,
    apart,
    passing_rules,
)
from commonground.planning.team.track import MARGIN_M


class RightOfWay:
    """The order among the tasks that robots have now; to be worked out anew whenever those change."""

    def __init__(self, crew: Mapping[str, Member]) -> None:
        self._crew = crew
        self._links: tuple[Link, ...] = ()
        self._waits: dict[str, frozenset[str]] = {}
        self._rules: dict[tuple[str, int], list[Rule]] = {}

    def work_out(self) -> None:
        """Work out anew what rests on what, and who passes whom first."""
        tasks = [t for m in self._crew.values() for t in m.queue]
        self._links, self._waits = causal_links(tasks), waits_of(tasks)
        self._rules = passing_rules({n: m.queue for n, m in self._crew.items()}, self._radii())

    def broken(self, facts: Iterable[Fact]) -> list[str]:
        """Return the tasks that cannot be done where facts are not true."""
        still = self._open()
        return [key for fact in facts for key in broken_by(self._links, fact, still)]

    def may_begin(self, task: Task) -> bool:
        """Return whether all that a task waits for is done."""
        return not (self._waits.get(task.key, frozenset()) & self._open())

    def grant(self, member: Member, task: Task) -> float:
        """Return how many meters of its path a robot may drive now."""
        upto = member.granted_m
        for k, piece in enumerate(member.pieces):
            if piece.end_m <= upto + EPS_M:
                continue
            if piece.begin_m - member.gone_m > AHEAD_M:
                break
            if not all(self._past(rule) for rule in self._rules.get((task.key, k), ())):
                break
            if not self._clear(member, piece.end_m):
                break
            upto = piece.end_m
        return upto

    def held_up_by(self, late: Member) -> list[str]:
        """Return the robots that cannot go on before another one does."""
        return [
            m.name
            for m in self._crew.values()
            if m is not late and m.fit and m.away_s is None and not m.busy and self._holds(late, m)
        ]

    def _holds(self, late: Member, member: Member) -> bool:
        task = member.task
        if task is None:
            return False
        if not self._waits.get(task.key, frozenset()).isdisjoint(t.key for t in late.queue):
            return True
        ahead = [k for k, p in enumerate(member.pieces) if p.end_m > member.granted_m + EPS_M]
        if not task.moves or not ahead:
            return False
        rules = [r for r in self._rules.get((task.key, ahead[0]), ()) if r.robot == late.name]
        clear = self._apart(member, late, member.pieces[ahead[0]].end_m)
        return not clear or not all(self._past(rule) for rule in rules)

    def crosses(self, tasks: Sequence[Task], robots: Sequence[str]) -> bool:
        """Return whether new tasks of some robots cross the ways, or stand in the way, of the others.

        So they do where one side waits for what the other does: the new tasks are timed from now on, the
        others from when they were planned.
        """
        mine = {n: [t for t in tasks if t.robot == n] for n in robots}
        others = {n: m.queue for n, m in self._crew.items() if n not in robots}
        radii = self._radii()
        if passing_rules({**mine, **others}, radii).keys() - passing_rules(others, radii).keys():
            return True
        theirs = [t for own in others.values() for t in own]
        return _touch(tasks, theirs) or _rests(tasks, theirs) or _rests(theirs, tasks)

    def _radii(self) -> dict[str, float]:
        return {n: m.radius_m for n, m in self._crew.items()}

    def _open(self) -> frozenset[str]:
        return frozenset(t.key for m in self._crew.values() for t in m.queue)

    def _past(self, rule: Rule) -> bool:
        """Return whether another robot is past where it has to be first."""
        other = self._crew[rule.robot]
        if rule.task not in {t.key for t in other.queue}:
            return True
        task = other.task
        return task is not None and task.key == rule.task and other.gone_m >= rule.past_m - EPS_M

    def _clear(self, member: Member, upto_m: float) -> bool:
        """Return whether a longer claim keeps its distance from what all others claim."""
        others = (m for m in self._crew.values() if m is not member)
        return all(self._apart(member, other, upto_m) for other in others)

    @staticmethod
    def _apart(member: Member, other: Member, upto_m: float) -> bool:
        line = member.claim(upto_m)[-2:]
        room = member.radius_m + other.radius_m + MARGIN_M + FOREIGN_M * other.foreign
        return apart(line, other.claim(), room)


def _touch(tasks: Iterable[Task], others: Iterable[Task]) -> bool:
    """Return whether both have to do with the same thing."""
    handled = {t.thing for t in others if not t.moves}
    return any(not t.moves and t.thing in handled for t in tasks)


def _rests(tasks: Iterable[Task], others: Iterable[Task]) -> bool:
    """Return whether any task needs what one of others brings about."""
    made = {fact for t in others for fact in t.adds}
    return any(not made.isdisjoint(t.needs) for t in tasks)
