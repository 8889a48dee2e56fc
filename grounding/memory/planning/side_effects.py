"""Plans that change no more than they have to: who only has to go somewhere takes nobody along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import permutations

from commonground.planning.pddl import Action, Atom, Not, Step, Task, World, execute
from commonground.planning.pddl.world import StepError


def sparing(task: Task, plan: Sequence[Step]) -> tuple[Step, ...]:
    """Return a plan that works, with other steps where these cost no more and leave more as it was."""
    start, best = World(task).atoms(), tuple(plan)
    run = execute(task, best)
    for at, step in enumerate(plan):
        for other in _lesser(World(task), step):
            tried = (*best[:at], other, *best[at + 1 :])
            result = execute(task, tried)
            spares = len(result.atoms ^ start) < len(run.atoms ^ start)
            if result.valid and result.cost <= run.cost and spares:
                best, run = tried, result
    return best


def _lesser(world: World, step: Step) -> Iterator[Step]:
    """Yield the steps with some of the same things that do only a part of what a step does."""
    own = world.actions.get(step.action)
    for action in world.actions.values():
        size = len(action.parameters)
        if own is None or size >= len(step.args) or not _does(action) < _does(own):
            continue
        for args in permutations(step.args, size):
            with suppress(StepError):
                world.bind(Step(action.name, args))
                yield Step(action.name, args)


def _does(action: Action) -> frozenset[tuple[str, bool]]:
    """Return which predicates an action makes so, and which it ends."""
    changes = [effect.change for effect in action.effects]
    made = {(c.predicate, True) for c in changes if isinstance(c, Atom)}
    bodies = [change.body for change in changes if isinstance(change, Not)]
    return frozenset(made | {(b.predicate, False) for b in bodies if isinstance(b, Atom)})
