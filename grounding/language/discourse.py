"""Sentences → one instruction: what is left out in one sentence is taken from those before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from commonground.grounding.fidelity.held import with_sides
from commonground.grounding.language.steps import YOU, Blank, Step, Steps
from commonground.grounding.language.verbs import never
from commonground.grounding.meaning import (
    TOLD,
    Act,
    Assignment,
    Instruction,
    Plan,
    Reference,
    Relation,
    Several,
    Task,
    Thing,
    Who,
)

_FAR = frozenset(["nearest", "farthest"])


class _Incomplete(Exception):
    """Something is left out that no sentence before says."""


def instruction_of(sentences: Sequence[Steps]) -> Instruction | None:
    """Return the instruction that the steps of all sentences make; None if something stays open."""
    talk = _Talk()
    orders = any(not _is_ban(step) for steps in sentences for step in steps)
    try:
        for steps in sentences:
            bind_all = orders and all(
                _is_ban(step) and not (step.who or step.call) for step in steps
            )
            for step in steps:
                talk.tell(step, bind_all=bind_all)
    except _Incomplete:
        return None
    every = (*talk.told, *talk.bans)
    return Instruction(every) if talk.told else None


class _Talk:
    """What was told so far, and who is addressed."""

    def __init__(self) -> None:
        self.told: list[Assignment] = []
        self.bans: list[Assignment] = []
        """What all are forbidden who are told anything: said in sentences of its own, to nobody."""
        self.addressed: Who | None = None

    def tell(self, step: Step, *, bind_all: bool = False) -> None:
        """Add one step to what was told before; a ban may bind all that are told anything."""
        told = self.told
        if step.call is not None:
            self.addressed = step.call
        if isinstance(step.task, Blank) and step.task.kind == "omit":
            _except(told, step.task.what)
            return
        if isinstance(step.task, Blank) and step.task.kind == "pending":
            last = _last(told)
            if last.who != Who(choose="one") or step.who is None:
                raise _Incomplete
            told[told.index(last)] = replace(last, who=self._who(step))
            return
        if isinstance(step.task, Plan) and _excludes(told, step.task):
            return
        task = _completed(step.task, told)
        if bind_all and not step.rule:
            self.bans.append(Assignment(Who(choose="told"), task))
            return
        told.append(Assignment(self._who(step), task, then=step.then))

    def _who(self, step: Step) -> Who:
        """Return who a step is for: named, or whoever was addressed before, or anyone."""
        if step.who is not None and step.who != YOU:
            self.addressed = step.who
            return step.who
        if step.rule and step.call is None:
            return Who()
        if self.addressed is None:
            return Who(choose="one")
        # names can be repeated; a role is that of the assignment before
        return self.addressed if self.addressed.names else Who(choose="same")


def _is_ban(step: Step) -> bool:
    """Return whether a step only says what must not be done."""
    if isinstance(step.task, Blank):
        return False
    sides = [kept_out for _, kept_out in with_sides(step.task)]
    return bool(sides) and all(sides)


def _last(told: Sequence[Assignment]) -> Assignment:
    for assignment in reversed(told):
        if not (isinstance(assignment.task, Act) and assignment.task.do in TOLD):
            return assignment
    raise _Incomplete


def _except(told: list[Assignment], what: Reference | None) -> None:
    """``… but skip the ones in the shelter``: an exception from what was told last."""
    last = _last(told)
    if what is None:
        raise _Incomplete
    task = _with_exception(last.task, what)
    if task is None:
        raise _Incomplete
    told[told.index(last)] = replace(last, task=task)


def _with_exception(task: Task, but: Reference) -> Task | None:
    if isinstance(task, Plan):
        inner = _with_exception(task.tasks[-1], but)
        return None if inner is None else replace(task, tasks=(*task.tasks[:-1], inner))
    what = _without(task.what, but)
    return None if what is None else replace(task, what=what)


def _without(what: Reference, but: Reference) -> Reference | None:
    if isinstance(what, Several):
        last = _without(what.things[-1], but)
        return None if last is None else replace(what, things=(*what.things[:-1], last))
    if what.amount != "all":
        return None
    if isinstance(but, Thing) and but.noun == "one":
        but = replace(but, noun=what.noun, kind=what.kind)
    return replace(what, but=(*what.but, but))


def _excludes(told: list[Assignment], task: Plan) -> bool:
    """``Inspect the signs but do not inspect the ones in the lot``: the same verb, negated."""
    if task.order != "not" or not isinstance(task.tasks[0], Act):
        return False
    act = task.tasks[0]
    try:
        last = _last(told)
    except _Incomplete:
        return False
    before = last.task
    if not isinstance(before, Act) or before.do != act.do or before.do == "place":
        return False
    changed = _with_exception(before, act.what)
    if changed is None:
        return False
    told[told.index(last)] = replace(last, task=changed)
    return True


def _completed(task: object, told: Sequence[Assignment]) -> Task:
    """Fill in the verb of ``… and Husky the flag``, the task of ``do the same``."""
    if isinstance(task, Plan):
        return replace(task, tasks=tuple(_completed(t, told) for t in task.tasks))
    if not isinstance(task, Blank):
        return cast(Task, task)
    before = _last(told).task
    if task.kind == "same":
        return before
    if task.what is None or (task.kind == "gap_all" and not _is_of_many(before)):
        raise _Incomplete
    filled = _with_object(before, task.what)
    if task.kind != "gap_not":
        return filled
    denied = never(filled)
    if denied is None:
        raise _Incomplete  # avoid the vans, but not the red one
    return cast(Task, denied)


def _is_of_many(task: Task) -> bool:
    return isinstance(task, Act) and isinstance(task.what, Thing) and task.what.amount == "all"


def _with_object(task: Task, what: Reference) -> Task:
    if isinstance(task, Plan):
        if len(task.tasks) > 1:
            raise _Incomplete
        return replace(task, tasks=(_with_object(task.tasks[0], what),))
    if task.do == "place":
        raise _Incomplete
    if isinstance(what, Thing) and what.noun == "one" and isinstance(task.what, Thing):
        what = replace(
            what, noun=task.what.noun, kind=task.what.kind, where=_as_far(what, task.what)
        )
    return replace(task, what=what)


def _as_far(what: Thing, before: Thing) -> tuple[Relation, ...]:
    """Return where a thing is; how near to what, the one before may say: ``…; Husky, the farthest``."""
    to = next((r.to for r in before.where if r.how in _FAR and r.to), ())
    return tuple(replace(r, to=r.to or to) if r.how in _FAR else r for r in what.where)
