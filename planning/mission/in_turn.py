"""What of an order between parts of goals still has to be kept, and what has to wait for it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import GivenUp
from commonground.planning.mission.joining import EXPLORED
from commonground.planning.mission.remaining import all_of, parts_of, remaining
from commonground.planning.mission.task import Fact
from commonground.planning.pddl import TRUE, Formula, nnf, to_pddl
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
    """Return whether there is nothing left of a pair to keep: a step of it is true, and stays so.

    Who is where he has to be in the end may leave, and come back too soon.
    """
    return any(remaining(nnf(d.goal), belief.execution(d.robot)) == TRUE for d in pair)


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
    robot: str, actions: Sequence[Action], order: Iterable[Precedence], region_of: RegionOf
) -> Iterator[tuple[frozenset[Fact], frozenset[Fact]]]:
    """Yield what has to be done before each action of a robot by an order, and what it does of that.

    As in a plan, who is somewhere twice has to wait before the last time. Whoever does a step waits: others
    may do what one robot was told to.
    """
    needs: list[set[Fact]] = [set() for _ in actions]
    adds: list[set[Fact]] = [set() for _ in actions]
    for pair in order:
        for literal in _by(pair.first, robot):
            for k in _serving(actions, literal, region_of):
                adds[k].add(_did(literal))
        for literal in _by(pair.then, robot):
            found = _serving(actions, literal, region_of)
            waits = found if literal.predicate == EXPLORED else found[-1:]
            for k in waits:
                needs[k] |= {_did(x) for x in pair.first.literals}
    for need, add in zip(needs, adds, strict=True):
        yield frozenset(need - add), frozenset(add)


def _by(deed: Deed, robot: str) -> list[Literal]:
    return [x for x in sorted(deed.literals, key=str) if deed.is_by(robot, x)]


def _serving(actions: Sequence[Action], literal: Literal, region_of: RegionOf) -> list[int]:
    return [k for k, action in enumerate(actions) if serves(action, literal, region_of)]


def _did(literal: Literal) -> Fact:
    return ("did", literal.predicate, *literal.args)
