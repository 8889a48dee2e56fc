"""Steps: who does what, in which order. Actions of the grammar for sentences and adverbials.

Each function is called with the labelled parts of one alternative; ``None`` rejects the reading. What
can only be understood from the sentences before (``do the same``, ``Husky the flag``) stays a `Blank`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from commonground.grounding.meaning import (
    ELIDED,
    Act,
    Do,
    Plan,
    Reference,
    Relation,
    Several,
    Task,
    Thing,
    Who,
)


@dataclass(frozen=True, slots=True)
class Blank:
    """A task to be completed from an earlier one: its verb with new things, or all of it again."""

    kind: Literal["gap", "gap_all", "gap_not", "same", "pending", "omit"]
    what: Reference | None = None


AnyTask: TypeAlias = "Task | Blank"


@dataclass(frozen=True, slots=True)
class Step:
    """One task of a sentence; without ``who`` it is for whoever was addressed last."""

    task: AnyTask
    who: Who | None = None
    then: bool = False
    """Comes after the step before."""
    first: bool = False
    """What follows comes after it."""
    early: bool = False
    """Comes before the steps said before it: ``…, but visit the shore first``."""
    wish: bool = False
    """Said of a thing (``the window must be inspected``), not to a robot."""
    rule: bool = False
    """Holds for everybody unless somebody is addressed (``the shelter is off limits``)."""
    call: Who | None = None
    """Who is addressed from here on."""


Steps: TypeAlias = tuple[Step, ...]


class Change(NamedTuple):
    """What an adverbial does to the step it belongs to."""

    kind: str
    value: Any = None


YOU = Who(choose="same")
"""Whoever is addressed."""
ALL = Who()


# ---- sentences --------------------------------------------------------------------------------------


def sentence(
    first: Steps, more: Sequence[Steps], call: Who | None = None, last: Who | None = None
) -> Steps | None:
    """The steps of a sentence; a name called at its beginning or end is for its first step."""
    if call is not None and last is not None:
        return None
    steps = called(first, call or last)
    steps = (replace(steps[0], call=call or last), *steps[1:])
    ordered = steps[0].first
    for group in more:
        if group[0].early:
            own = [replace(s, who=s.who or steps[0].who) for s in group]
            steps = (*own, replace(steps[0], then=True), *steps[1:])
        else:
            steps += tuple(
                replace(s, then=s.then or (ordered and i == 0)) for i, s in enumerate(group)
            )
    return steps


def linked(link: str | None, step: Steps, call: Who | None = None) -> Steps | None:
    """``… and then Husky, go to the flag``; to return somewhere comes after what was told before."""
    steps = called(step, call)
    if link == "run_on" and steps[0].who is None:
        return None  # without a link, only another robot's name begins another step
    steps = (replace(steps[0], call=call), *steps[1:])
    first = steps[0].task
    if isinstance(first, Plan) and first.order == "sequence" and len(first.tasks) == 1:
        return (replace(steps[0], task=first.tasks[0], then=True), *steps[1:])
    return (replace(steps[0], then=steps[0].then or link == "then"), *steps[1:])


def link(kind: str) -> str:
    """``and``, ``then``."""
    return kind


def called(steps: Steps, call: Who | None) -> Steps:
    """Address the steps that do not say who to the robot called; ``you`` is that robot too."""
    if call is None:
        return steps
    return tuple(replace(s, who=call) if s.who is None or s.who == YOU else s for s in steps)


def told(
    about: Act, more: Sequence[Steps] = (), call: Who | None = None, last: Who | None = None
) -> Steps | None:
    """``The flag may be damaged, so Husky should check it``."""
    if not more:
        return (Step(about, call or last or ALL, call=call or last),)
    rest = sentence(more[0], more[1:], call, last)
    return None if rest is None else (Step(about, ALL), *rest)


# ---- one step ---------------------------------------------------------------------------------------


def step(leads: Sequence[Change], clause: Steps, tails: Sequence[Change]) -> Steps | None:
    """A clause with its adverbials before and behind."""
    steps: Steps | None = clause
    for change in (*tails, *reversed(leads)):
        if steps is None:
            return None
        steps = changed(steps, change)
    return steps


def change(kind: str, value: Any = None) -> Change:
    """``first``, ``on the way to the flag``, ``without entering the shelter``."""
    return Change(kind, value)


def change_way(kind: str, what: Reference) -> Change:
    """``on the way to the flag``, after this; ``via the path``, before it; ``while you are at the flag``."""
    return Change(kind, Act("go", what))


def timed(kind: str, value: Any) -> Change:
    """``before going there``, ``once you have inspected it``; what another robot does stays its own step."""
    if isinstance(value, tuple) and len(value) == 1 and value[0].who in (None, YOU):
        value = value[0].task
    return Change(kind, value)


def changed(steps: Steps, change: Change) -> Steps | None:
    """Return the steps with one adverbial applied; None if it does not go with them."""
    apply = _CHANGES.get(change.kind)
    return steps if apply is None else apply(steps, change.value)


def _then(steps: Steps, _: Any) -> Steps:
    return (replace(steps[0], then=True), *steps[1:])


def _first(steps: Steps, _: Any) -> Steps:
    return (replace(steps[0], first=True), *steps[1:])


def _early(steps: Steps, _: Any) -> Steps:
    return (replace(steps[0], early=True), *steps[1:])


def _call(steps: Steps, who: Who) -> Steps | None:
    last = steps[-1]
    return None if last.who is not None else (*steps[:-1], replace(last, who=who))


def _also(steps: Steps, task: Task) -> Steps:
    """Something that holds as well: what to avoid, where the way leads."""
    return (*steps[:-1], _with_task(steps[-1], "all", (steps[-1].task, task)))


def _before(steps: Steps, later: Any) -> Steps:
    """This, before that: what is said first comes last."""
    if isinstance(later, tuple):  # before Husky enters
        return (*steps, *(replace(s, then=True) for s in later))
    return (*steps[:-1], _with_task(steps[-1], "sequence", (steps[-1].task, later)))


def _after(steps: Steps, earlier: Any) -> Steps:
    """This, after that."""
    if isinstance(earlier, tuple):  # once Husky has left
        return (*earlier, replace(steps[0], then=True), *steps[1:])
    return (_with_task(steps[0], "sequence", (earlier, steps[0].task)), *steps[1:])


def _followed(steps: Steps, what: Reference) -> Steps | None:
    """``Inspect the window, followed by the flag``."""
    last = steps[-1].task
    if not isinstance(last, Act) or last.do == "place":
        return None
    return (*steps[:-1], _with_task(steps[-1], "sequence", (last, replace(last, what=what))))


def _where(steps: Steps, where: Relation) -> Steps | None:
    """``In the shelter, inspect the boxes``."""
    task = steps[0].task
    if not isinstance(task, Act):
        return None
    what = placed(task.what, where)
    return steps if what is None else (replace(steps[0], task=replace(task, what=what)), *steps[1:])


def _topic(steps: Steps, what: Reference) -> Steps | None:
    """``Of the boxes, inspect the nearest``; pronouns are no topic."""
    if isinstance(what, Thing) and what.of is not None and not what.noun:
        return None
    return (Step(Act("mention", what), steps[0].who, wish=True), *steps)


def _found(steps: Steps, what: Reference) -> Steps:
    """``Find the bicycle and inspect it``: the finding is meant by the inspecting."""
    return (Step(Act("mention", what), steps[0].who, wish=True), *steps)


def _about(steps: Steps, what: Reference) -> Steps | None:
    """``The boxes, inspect them all``; it must be taken up, or it would be forgotten."""
    return _topic(steps, what) if any(_refers_back(s.task) for s in steps) else None


def _refers_back(task: AnyTask) -> bool:
    if isinstance(task, Plan):
        return any(_refers_back(t) for t in task.tasks)
    things = task.what.things if isinstance(task.what, Several) else (task.what,)
    return any(
        isinstance(t, Thing) and (t.of is not None or t.noun == ELIDED or t.among is not None)
        for t in things
    )


def _each(steps: Steps, _: Any) -> Steps | None:
    """``Inspect one door each``: a different one; ``inspect both doors each`` says nothing more."""
    task = steps[-1].task
    one = isinstance(task, Act) and isinstance(task.what, Thing) and task.what.amount == "any"
    return _share(steps, None) if one else steps


def _share(steps: Steps, _: Any) -> Steps | None:
    """``Between you``, ``one each``."""
    who = steps[0].who
    if who is not None and who.choose not in ("each", "same"):
        return None
    names = who.names if who is not None else ()
    return tuple(replace(s, who=Who(names, choose="share")) for s in steps)


_CHANGES: dict[str, Callable[[Steps, Any], Steps | None]] = {
    "then": _then, "first": _first, "early": _early, "call": _call, "also": _also, "before": _before,
    "after": _after, "followed": _followed, "where": _where, "topic": _topic, "share": _share,
    "about": _about, "each": _each, "found": _found,
}  # fmt: skip


def _with_task(s: Step, order: str, tasks: Sequence[AnyTask]) -> Step:
    """Return a step with its task joined to others; blanks are filled later, so no order is lost."""
    flat: list[Any] = []
    for t in tasks:
        flat += t.tasks if isinstance(t, Plan) and t.order == order else (t,)
    return replace(s, task=Plan(cast(Any, order), tuple(flat)))


# ---- what is only said ------------------------------------------------------------------------------


def mention(
    what: Reference,
    where: Relation | None = None,
    area: Reference | None = None,
    also: Relation | None = None,
) -> Act | None:
    """``There is a bag near the door``: things that later sentences may refer to."""
    if where is None and area is not None:
        where = Relation("in", (area,))
    found: Reference | None = what
    for relation in filter(None, (where, also)):
        found = None if found is None else placed(found, relation)
    return None if found is None else Act("mention", found)


def mention_of(what: Reference, where: Relation) -> Act | None:
    """``The bags were left in the shelter``."""
    if any(isinstance(t, Thing) and t.of for t in where.to) or not _all_introduce(what):
        return None
    return mention(what, where)


def remark(what: Reference) -> Act | None:
    """``The boxes look suspicious``: what is said of them is not known to any map."""
    return Act("remark", what) if _all_introduce(what) else None


def mentions(first: Act, more: Sequence[Act]) -> Act:
    """``There is a basket and there is a window``."""
    if not more:
        return first
    kinds = {act.do for act in (first, *more)}
    do: Do = "remark" if "remark" in kinds else "mention"
    return Act(do, Several("all", tuple(act.what for act in (first, *more))))


def _all_introduce(what: Reference) -> bool:
    things = what.things if isinstance(what, Several) else (what,)
    return all(isinstance(t, Thing) and _introduces(t) for t in things)


def _introduces(t: Thing) -> bool:
    if isinstance(t.among, Thing):
        return _introduces(t.among)
    return bool(t.noun not in ("", ELIDED) or t.ids or t.of in ("it", "them"))


def placed(what: Reference, where: Relation) -> Reference | None:
    """Return a reference with a relation added to each of its things; None for pronouns."""
    if isinstance(what, Several):
        parts = [placed(t, where) for t in what.things]
        return None if None in parts else replace(what, things=tuple(cast(Any, parts)))
    return None if what.of is not None else replace(what, where=(*what.where, where))
