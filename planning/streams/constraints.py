"""Plan skeletons compiled into the domain: a counter of steps and the values of skeleton variables."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from commonground.errors import PlanningError
from commonground.planning.pddl.domain import Action, Domain
from commonground.planning.pddl.formula import EQUALS, And, Atom, Effect, Formula, Not, Or
from commonground.planning.pddl.logic import conjunction
from commonground.planning.streams.expressions import Fact, Reader
from commonground.planning.streams.info import WILD, PlanConstraints, SkeletonStep
from commonground.planning.streams.language import is_parameter

_AT_STEP = "(at-step)"
_ASSIGNED = "(assigned)"
_IN_GROUP = "(in-group)"


def constrained(
    domain: Domain, goal: Formula, constraints: PlanConstraints, reader: Reader
) -> tuple[Domain, Formula, list[Fact]]:
    """Return the domain and goal that only plans along one of the skeletons reach, and initial facts."""
    initial: list[Fact] = []
    for group, values in constraints.groups.items():
        initial += [
            (_IN_GROUP, (_number(reader, group), _number(reader, value))) for value in values
        ]
    actions: list[Action] = []
    ends: list[Formula] = []
    for index, skeleton in enumerate(constraints.skeletons or ()):
        marks = [
            Atom(_AT_STEP, (reader.name(("skeleton", index, step)),))
            for step in range(len(skeleton) + 1)
        ]
        initial.append((_AT_STEP, (reader.constants[marks[0].args[0]],)))
        assigned: set[str] = set()
        for step, before, after in zip(skeleton, marks, marks[1:], strict=False):
            limited = _limited(domain, step, index, assigned, before, after, constraints, reader)
            actions.append(replace(limited, name=f"{limited.name} {len(actions)}"))
        ends.append(marks[-1])
    others = () if constraints.exact else domain.actions
    whole = replace(domain, actions=(*others, *actions))
    return whole, And((goal, Or(tuple(ends)))), initial


def named_values(constraints: PlanConstraints) -> list[object]:
    """Return the values that skeletons and groups name."""
    args = [
        arg for skeleton in constraints.skeletons or () for _, listed in skeleton for arg in listed
    ]
    found = [
        arg for arg in args if not is_parameter(arg) and not (isinstance(arg, str) and arg == WILD)
    ]
    return found + [value for values in constraints.groups.values() for value in values]


def _number(reader: Reader, value: object) -> int:
    return reader.constants[reader.name(value)]


def _limited(
    domain: Domain,
    step: SkeletonStep,
    index: int,
    assigned: set[str],
    before: Atom,
    after: Atom,
    constraints: PlanConstraints,
    reader: Reader,
) -> Action:
    """Return the action of one skeleton step, which leads from one mark to the next."""
    name, args = step
    action = domain.action(name.lower())
    if len(args) != len(action.parameters):
        wanted = len(action.parameters)
        raise PlanningError(
            f"step ({name} …) of a skeleton has {len(args)} arguments, not {wanted}"
        )
    conditions: list[Formula] = [action.precondition, before]
    effects: list[Effect] = [Effect(Not(before)), Effect(after)]
    here: dict[str, str] = {}
    for arg, typed in zip(args, action.parameters, strict=True):
        if isinstance(arg, str) and arg == WILD:
            continue
        if is_parameter(arg):
            if here.setdefault(arg, typed.name) != typed.name:
                conditions.append(Atom(EQUALS, (typed.name, here[arg])))
                continue
            held = Atom(_ASSIGNED, (reader.name(("variable", index, arg)), typed.name))
            if arg in assigned:
                conditions.append(held)
            else:
                effects.append(Effect(held))
                assigned.add(arg)
        elif isinstance(arg, Hashable) and arg in constraints.groups:
            conditions.append(Atom(_IN_GROUP, (reader.name(arg), typed.name)))
        else:
            conditions.append(Atom(EQUALS, (typed.name, reader.name(arg))))
    return replace(
        action, precondition=conjunction(conditions), effects=(*action.effects, *effects)
    )
