"""Clauses: orders, wishes and what shall be true of things. Actions of the grammar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

from commonground.grounding.language.nominals import Det, Mod, elided
from commonground.grounding.language.steps import (
    ALL,
    AnyTask,
    Blank,
    Change,
    Step,
    Steps,
    called,
    changed,
)
from commonground.grounding.language.things import Post, thing
from commonground.grounding.language.verbs import act, never
from commonground.grounding.meaning import Act, Do, Plan, Reference, Several, Task, Thing, Who


class State(NamedTuple):
    """What shall be true of a thing."""

    do: str
    to: Reference | None = None


# ---- to robots --------------------------------------------------------------------------------------


def order(task: AnyTask) -> Steps:
    """``inspect the window``."""
    return (Step(task),)


def asked(clause: Steps, call: Who | None = None) -> Steps:
    """``could you, Spot, inspect the window``."""
    return called(clause, call)


def does(who: Who, task: AnyTask, mark: Change | None = None) -> Steps | None:
    """``Spot should first inspect the window``; each of you a different door: one door each."""
    step = Step(task, who)
    if isinstance(task, Act) and isinstance(task.what, Thing) and task.what.trait == "different":
        if who != ALL:
            return None
        different = replace(task.what, trait="")
        step = Step(replace(task, what=different), Who(choose="share"))
    return (step,) if mark is None else changed((step,), mark)


def is_at(who: Who, what: Reference) -> Steps:
    """``I want you in the shelter``, ``your last stop is the shelter``."""
    return (Step(Act("be", what), who),)


def final(what: Reference, who: Who | None = None) -> Steps:
    """``end position: at the window``."""
    return (Step(Act("be", what), who),)


def topic_act(what: Reference, do: str, who: Who | None = None) -> Steps:
    """``the crate by the gate: fetch``, ``the former you inspect``."""
    return (Step(act(do, what), who),)


def topic_put(what: Reference, to: Reference, who: Who | None = None) -> Steps:
    """``the red one you can put at the gate``."""
    return (Step(Act("place", what, to), who),)


def route(who: Who, what: Reference, then: Sequence[Reference] = ()) -> Steps | None:
    """``Husky: P3, then P9``: places and regions by their symbols are gone to."""
    stops = (what, *then)
    if not all(isinstance(stop, Thing) and _is_area(stop) for stop in stops):
        return None
    acts = tuple(Act("go", stop) for stop in stops)
    return (Step(acts[0] if len(acts) == 1 else Plan("sequence", acts), who),)


def _is_area(thing: Thing) -> bool:
    return bool(thing.ids) and all(symbol[0] in "PR" for symbol in thing.ids)


def again(do: str, of: str, who: Who | None = None) -> Steps:
    """``two bales by the ladder: Husky to check``: what was introduced before."""
    return (Step(act(do, Thing(of=cast(Any, of))), who),)


def goes(who: Who, what: Reference) -> Steps:
    """``send Husky to the flag``."""
    return (Step(Act("go", what), who),)


def fetches(who: Who, what: Reference) -> Steps:
    """``send Spot for the basket``."""
    return (Step(Act("pick", what), who),)


def nobody(task: AnyTask, first: str = "", last: str = "") -> Steps | None:
    """``neither robot may enter the shelter``."""
    who = Who((first, last)) if first else ALL
    banned = None if isinstance(task, Blank) else never(task)
    return None if banned is None else (Step(banned, who),)


def respective(do: str, what: Reference, first: str, second: str) -> Steps | None:
    """``Spot and Husky should visit the flag and the shore respectively``."""
    if not isinstance(what, Several) or len(what.things) != 2:
        return None
    pairs = zip((first, second), what.things, strict=True)
    return tuple(Step(act(do, thing), Who((robot,))) for robot, thing in pairs)


def gap(who: Who, what: Reference | None = None) -> Steps | None:
    """``… and Husky the flag``, ``… and Husky too``: the verb is that of the step before.

    Not ``the ones nearest to the flag``: those are no robots.
    """
    if who.near is not None and (what is None or who.near == Thing()):
        return None
    return (Step(Blank("same" if what is None else "gap", what), who),)


def gap_ones(who: Who, mods: Sequence[Mod], posts: Post | None = None) -> Steps | None:
    """``…; Husky, the black``: those of several that are told of before."""
    ones = elided(mods, "many")
    what = thing(ones, (posts,) if posts else (), Det("all")) if ones is not None else None
    return None if what is None else (Step(Blank("gap_all", what), who),)


def must(what: Reference) -> Steps:
    """``the crates are a must``: what is to be done is what was told before."""
    return (Step(Blank("gap", what)),)


def gap_not(what: Reference) -> Steps:
    """``… but not the shore``: the verb is that of the step before, negated."""
    return (Step(Blank("gap_not", what)),)


# ---- about things -----------------------------------------------------------------------------------


def patient(subject: Reference, state: State, by: Who | None = None, **more: Any) -> Steps | None:
    """``the window must (not) be inspected by Spot``: the thing is the subject."""
    task: Task | None = act_state(subject, state)
    if more.get("not") is not None:
        task = never(act_state(subject, state))
    if task is None:  # not to be closed is no task
        return None
    rule = isinstance(task, Act) and task.do == "avoid"
    return (Step(task, by, wish=by is None, rule=rule),)


def act_state(subject: Reference, state: State) -> Task:
    """``check whether the flag is safe``."""
    return Act(cast(Do, state.do), subject, state.to)


def is_put(subject: Reference, to: Reference, **more: Any) -> Steps | None:
    """``the food should be on the path``; robots are not put anywhere."""
    if isinstance(subject, Thing) and subject.kind == "robot":
        return None
    put = Act("place", subject, to)
    task: Task = put if more.get("not") is None else Plan("not", (put,))
    return (Step(task, wish=True),)


def state(do: str, to: Reference | None = None) -> State:
    """``safe``, ``inspected``, ``in your gripper``, ``moved to the path``."""
    return State(do, to)


# ---- who --------------------------------------------------------------------------------------------


def who(choose: str, can: str = "", cannot: str = "") -> Who:
    """``you``, ``both of you``, ``someone``, ``the other robot``, ``the robot with the arm``."""
    return Who(choose=cast(Any, choose), can=cast(Any, can), cannot=bool(cannot))


def names(first: str, more: Any = ()) -> Who:
    """``Spot and Husky``."""
    return Who((first, *more))


def one_of(
    who: Who | None = None, first: str = "", second: str | None = None, last: str = ""
) -> Who:
    """``Spot or Husky``, ``one of you, Spot or Husky``."""
    if who is not None:
        return replace(who, choose="one")
    return Who(tuple(n for n in (first, second, last) if n), choose="one")


def all_but(who: Who, but: Who) -> Who:
    """``everyone except Husky``."""
    return replace(who, but=but.names)


def near(what: Reference | None = None, farthest: str = "") -> Who:
    """``whichever robot is closest to the flag``; without anything, to what it is told to do."""
    target = what if what is not None else Thing()
    return Who(choose="one", near=target, farthest=bool(farthest))


def such(robot: Who) -> Who:
    """``whichever of you can pick things up``."""
    return robot
