"""What of an order between parts of goals still has to be kept, and what has to wait for it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import GivenUp
from commonground.planning.mission.remaining import all_of, parts_of
from commonground.planning.mission.task import Fact
from commonground.planning.pddl import Formula, to_pddl
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.plan import Action
from commonground.planning.scene.precedence import Deed, Precedence, RegionOf, for_robots, serves

Goals = Mapping[str, Formula]


def still_ordered(
    belief: SceneBelief, goals: Goals, wishes: Goals, lost: Iterable[GivenUp]
) -> tuple[dict[str, Formula], list[Precedence]]:
    """Return what robots may plan for now, and the order that it has to be done in.

    What comes after something that cannot be planned for yet, because it is still looked for, waits for a
    later plan. What was given up is waited for no more.
    """
    wanted = _without_lost(goals, {(one.robot, one.goal) for one in lost})
    order = for_robots(belief.order, goals)
    kept = [p for p in order if not _is_done(belief, p) and _asks(wanted, p.first)]
    left = dict(wishes)
    for _ in kept:  # what waits may itself be waited for
        todo = _todo(left)
        late = [pair.then for pair in kept if not _asks(todo, pair.first)]
        left = {name: _without(wish, name, late) for name, wish in left.items()}
    todo = _todo(left)
    return left, [p for p in kept if _asks(todo, p.first) and _asks(todo, p.then)]


def _without_lost(goals: Goals, given_up: Container[tuple[str, str]]) -> list[Formula]:
    """Return the parts of goals that have to be done, without those that their robots gave up."""
    parts = ((name, part) for name, goal in goals.items() for part in parts_of(goal)[0])
    return [part for name, part in parts if (name, to_pddl(part)) not in given_up]


def _todo(goals: Goals) -> list[Formula]:
    """Return the parts of goals that have to be done."""
    return [part for goal in goals.values() for part in parts_of(goal)[0]]


def _is_done(belief: SceneBelief, pair: Precedence) -> bool:
    """Return whether there is nothing left of a pair to keep."""
    return any(belief.holds(deed.robot, deed.goal) for deed in pair)


def _asks(parts: Sequence[Formula], deed: Deed) -> bool:
    """Return whether parts of goals ask for a step."""
    return any(x in deed.literals for part in parts for x in literals(part))


def _without(wish: Formula, name: str, late: Sequence[Deed]) -> Formula:
    """Return a robot's wish without the parts for which it is too soon."""
    to_do, avoided = parts_of(wish)

    def is_late(part: Formula) -> bool:
        return any(d.is_by(name, x) and x in d.literals for d in late for x in literals(part))

    return all_of(*(part for part in to_do if not is_late(part)), *avoided)


def facts_of(
    robot: str, action: Action, order: Iterable[Precedence], region_of: RegionOf
) -> tuple[frozenset[Fact], frozenset[Fact]]:
    """Return what has to be done before an action of a robot by an order, and what it does of that."""
    needs, adds = set[Fact](), set[Fact]()
    for pair in order:
        if _serves(pair.first, robot, action, region_of):
            adds |= {_did(x) for x in pair.first.literals if serves(action, x, region_of)}
        if pair.is_between_robots and _serves(pair.then, robot, action, region_of):
            needs |= {_did(x) for x in pair.first.literals}
    return frozenset(needs - adds), frozenset(adds)


def _serves(deed: Deed, robot: str, action: Action, region_of: RegionOf) -> bool:
    return any(
        deed.is_by(robot, x) and serves(action, x, region_of)
        for x in sorted(deed.literals, key=str)
    )


def _did(literal: Literal) -> Fact:
    return ("did", literal.predicate, *literal.args)
