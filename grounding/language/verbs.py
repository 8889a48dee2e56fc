"""Verb phrases: actions of the grammar that build tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from commonground.grounding.language.steps import AnyTask, Blank
from commonground.grounding.meaning import Act, Do, Plan, Reference, Several, Task, Thing


def verb(do: str) -> str:
    """``inspect``, ``go to``, ``wait at``."""
    return do


def act(do: str, what: Reference) -> Task:
    """A verb and its object. To return somewhere is to go there, after what was told before.

    To leave an area is not to be in it in the end; how far away from a thing is enough, nobody can tell.
    """
    if do == "return":
        return Plan("sequence", (Act("go", what),))
    if do == "leave":
        return Plan("not", (Act("be", _area(what)),))
    return Act(cast(Do, do), what)


def _area(what: Reference) -> Reference:
    if isinstance(what, Several):
        return replace(what, things=tuple(map(_area, what.things)))
    return replace(what, kind="region") if what.kind == "thing" else what


def acts(do: str, second: str, what: Reference, order: str) -> Task:
    """``go to and inspect the window``."""
    return Plan(cast(Any, order), (act(do, what), act(second, what)))


def act_then(
    do: str, what: Reference, then: Sequence[Reference], more: Sequence[Reference] = ()
) -> Task:
    """``go to the flag, then the shore and finally the road``."""
    first = Several("all", (what, *more)) if more else what
    return Plan("sequence", tuple(act(do, one) for one in (first, *then)))


def put(what: Reference, to: Reference) -> Task:
    """``move the food to the path``."""
    return Act("place", what, to)


def act_there(do: str) -> Task:
    """``go there``, ``wait``."""
    return Act(cast(Do, do), Thing(of="there"))


def blank(kind: str, what: Reference | None = None) -> Blank:
    """``do it``, ``do the same``, ``skip the ones in the shelter``."""
    return Blank(cast(Any, kind), what)


def same(task: AnyTask) -> AnyTask:
    """``go and inspect the window``: the going is meant by the inspecting."""
    return task


def last_of_all(task: AnyTask) -> Any:
    """``finish by going to the shore``: it comes after what was told before."""
    return task if isinstance(task, Blank) else Plan("sequence", (task,))


def any_of(first: AnyTask, more: Sequence[AnyTask]) -> Task | None:
    """``inspect the window or go to the flag``."""
    tasks = (first, *more)
    return None if any(isinstance(t, Blank) for t in tasks) else Plan("any", cast(Any, tasks))


def never(task: AnyTask) -> Any:
    """The negation of a task: not to go somewhere is to avoid it all along."""
    if isinstance(task, Blank):
        return task if task.kind == "omit" else None
    if isinstance(task, Act):
        if task.do == "avoid":
            return None
        return Act("avoid", task.what) if task.do == "go" else Plan("not", (task,))
    if task.order == "not":
        return task.tasks[0]
    if task.order == "sequence" and len(task.tasks) > 1:
        return Plan("not", (task,))
    inner = tuple(never(t) for t in task.tasks)
    return None if None in inner else Plan("all", inner)


def avoiding(what: Reference) -> Task:
    """``avoiding the shelter``, ``without crossing the path``."""
    return Act("avoid", what)
