"""Both levels as one: an action with what it is mapped to between its start and its end.

The high level alone may plan what the low level cannot do: an arm that does not reach, a tool that is not
there, a gripper that is full. Planned together, what is below counts like any other condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from commonground.grounding.prolog.base import Base, Refinement
from commonground.grounding.prolog.lifted import Lifted, own_names, substituted
from commonground.grounding.prolog.terms import (
    Term,
    Var,
    args_of,
    key_of,
    same,
    substitute,
    variables,
)

CHOICES = 64
"""Most ways in which one action is written out, where steps of one name differ in their conditions."""


def with_mapped(base: Base, whole: Sequence[Lifted], low: Sequence[Lifted]) -> tuple[Lifted, ...]:
    """Return whole actions with the steps they are mapped to, one for each choice among steps of one name.

    An action that is mapped to steps that do not exist is left out.
    """
    known: dict[tuple[str, int], list[Lifted]] = {}
    for step in low:
        known.setdefault(key_of(step.head), []).append(step)
    found: list[Lifted] = []
    for action in whole:
        mapping = next((m for m in base.mappings if key_of(m.head) == key_of(action.head)), None)
        found += [action] if mapping is None else _joined(action, mapping, known)
    return tuple(found)


def _joined(
    action: Lifted, mapping: Refinement, known: Mapping[tuple[str, int], Sequence[Lifted]]
) -> Iterator[Lifted]:
    names = {v for located in mapping.lows for v in variables(located.term)}
    binding: dict[str, Term] = {name: Var(f"{name} below") for name in sorted(names)}
    for theirs, ours in zip(args_of(mapping.head), args_of(action.head), strict=True):
        if isinstance(theirs, Var):
            binding[theirs.name] = ours
        elif not isinstance(ours, Var) and not same(theirs, ours):
            return
    choices: list[list[Lifted]] = []
    for number, located in enumerate(mapping.lows):
        call = substitute(located.term, binding)
        steps = (_called(step, call, number) for step in known.get(key_of(call), ()))
        choices.append([step for step in steps if step is not None])
    for chosen in islice(product(*choices), CHOICES):
        yield _in_turn(action, chosen)


def _in_turn(action: Lifted, steps: Sequence[Lifted]) -> Lifted:
    """Return an action with steps after its start."""
    start, *rest = action.stages
    inner = [stage for step in steps for stage in step.stages]
    tables = dict.fromkeys((*action.tables, *(t for step in steps for t in step.tables)))
    residual = (*action.residual, *(goal for step in steps for goal in step.residual))
    return Lifted((start, *inner, *rest), tuple(tables), residual)


def _called(step: Lifted, call: Term, number: int) -> Lifted | None:
    """Return a step with the arguments it is called with, and other variables of its own."""
    binding: dict[str, Term] = {}
    for own, given in zip(args_of(step.head), args_of(call), strict=True):
        if not isinstance(own, Var):
            if isinstance(given, Var) or not same(own, given):
                return None
        elif own.name in binding and binding[own.name] != given:
            return None
        else:
            binding[own.name] = given
    for name in own_names(step):
        binding.setdefault(name, Var(f"{name} in step {number}"))
    return substituted(step, binding)
