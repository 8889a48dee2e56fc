"""Both levels as one: an action with what it is mapped to between its start and its end.

The high level alone may plan what the low level cannot do: an arm that does not reach, a tool that is not
there, a gripper that is full. Planned together, what is below counts like any other condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from commonground.grounding.prolog.actions.lifted import Lifted, renamed, substituted
from commonground.grounding.prolog.base.knowledge_base import Base, Refinement
from commonground.grounding.prolog.base.terms import (
    Term,
    Var,
    args_of,
    key_of,
    resolved,
    substitute,
    unify,
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
        own = [m for m in base.mappings if key_of(m.head) == key_of(action.head)]
        found += [joint for m in own for joint in _joined(action, m, known)] if own else [action]
    return tuple(found)


def _joined(
    action: Lifted, mapping: Refinement, known: Mapping[tuple[str, int], Sequence[Lifted]]
) -> Iterator[Lifted]:
    head, *calls = _renamed([mapping.head, *(located.term for located in mapping.lows)])
    binding: dict[str, Term] = {}
    if not _agree(head, action.head, binding):
        return
    choices = [
        [
            *_fitting(
                call, [renamed(s, f"in step {n}") for s in known.get(key_of(call), ())], binding
            )
        ]
        for n, call in enumerate(calls)
    ]
    for chosen in islice(product(*choices), CHOICES):
        bound = dict(binding)
        if all(_agree(call, step.head, bound) for call, step in zip(calls, chosen, strict=True)):
            told = resolved(bound)
            yield _in_turn(substituted(action, told), [substituted(step, told) for step in chosen])


def _renamed(terms: Sequence[Term]) -> list[Term]:
    """Return the terms of a mapping with variables of its own."""
    names = {v for term in terms for v in variables(term)}
    return [substitute(t, {n: Var(f"{n} below") for n in names}) for t in terms]


def _fitting(call: Term, steps: Sequence[Lifted], binding: Mapping[str, Term]) -> Iterator[Lifted]:
    return (step for step in steps if _agree(call, step.head, dict(binding)))


def _agree(one: Term, other: Term, binding: dict[str, Term]) -> bool:
    """Bind variables so that arguments are the same; tell whether that works."""
    return all(unify(a, b, binding) for a, b in zip(args_of(one), args_of(other), strict=True))


def _in_turn(action: Lifted, steps: Sequence[Lifted]) -> Lifted:
    """Return an action with steps after its start."""
    start, *rest = action.stages
    inner = [stage for step in steps for stage in step.stages]
    tables = dict.fromkeys((*action.tables, *(t for step in steps for t in step.tables)))
    residual = (*action.residual, *(goal for step in steps for goal in step.residual))
    return Lifted((start, *inner, *rest), tuple(tables), residual)
