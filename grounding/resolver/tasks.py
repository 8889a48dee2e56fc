"""Tasks → what must hold for one robot: which predicate, over which nodes, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from commonground.grounding.meaning import (
    AVOIDING,
    TOLD,
    Act,
    Plan,
    Reference,
    Several,
    Task,
    Thing,
)
from commonground.grounding.nodes import NodeKind
from commonground.grounding.resolver.anchors import ANY, AREA_FIRST
from commonground.grounding.resolver.choice import (
    Choice,
    Joined,
    Pick,
    Unclear,
    is_settled,
    kinds_of,
    leaves,
    symbols_of,
)
from commonground.grounding.resolver.draft import Both, Draft, Either, Never, each, over
from commonground.grounding.resolver.references import Resolver
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.resolver.wording import describe, listing
from commonground.planning.pddl import Atom, Formula, Not, conjunction, disjunction

KEEP_AWAY_M = 2.0
"""'Do not come near' something: the places within this distance are out of bounds."""

AT = {"object": "at-object", "place": "at-place", "region": "in-region"}
KINDS: dict[str, tuple[NodeKind, ...]] = {
    "go": ANY, "be": ANY, "mention": ANY, "remark": ANY, "avoid": AREA_FIRST, "keep_away": AREA_FIRST,
    "leave_alone": ("object",), "explore": ("region",),
    "place": ("object",), "inspect": ("object", "region"), "pick": ("object",), "take": ("object", "region"),
}  # fmt: skip
"""What each kind of task can be done to, the likeliest layer first."""
HANDLED = ("inspect", "take")
"""What is done to a thing sooner than to where it was put."""


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """A task after its references were resolved."""

    do: str
    choice: Choice
    to: tuple[str, ...] = ()
    """Places, any of which will do."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Tasks in order, all, any, or none of them."""

    order: str
    parts: tuple[Work, ...]


Work = Done | Group


class Tasks:
    """Resolves the references of tasks and turns them into drafts of goals."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver, self.world = resolver, resolver.world

    # ---- references --------------------------------------------------------------------------------

    def resolve(self, task: Task, scope: Scope) -> Work:
        """Return the task with its references resolved, in the order in which they were spoken."""
        if isinstance(task, Plan):
            return Group(task.order, tuple(self.resolve(t, scope) for t in task.tasks))
        scope.handling = task.do in HANDLED
        if task.do in TOLD:
            return self._told(task, scope)
        goal = task.do in ("go", "be")
        choice = self._choice(task, scope, goal=goal)
        if task.do == "inspect" and len(kinds_of(choice)) > 1:
            raise Unclear(f"{describe(task.what)}: things and areas are not inspected alike.")
        if task.do == "place":
            if task.to is None:
                raise Unclear(f"Where should {describe(task.what)} be put?")
            return Done("place", choice, self._destination(task.to, scope, symbols_of(choice)))
        return Done(task.do, choice, self._kept_clear(choice) if task.do == "keep_away" else ())

    def _choice(self, task: Act, scope: Scope, *, goal: bool) -> Choice:
        """Return what a task is done to; who keeps off the grass keeps off all areas of grass."""
        what, kinds = _all_of(task), self._kinds(task)
        try:
            return self.resolver.resolve(what, kinds, scope, goal=goal)
        except Unclear as unclear:
            kinds_found = map(self.world.find, unclear.candidates)
            areas = {found[0].kind for found in kinds_found if found is not None}
            if task.do != "avoid" or areas != {"region"} or not _is_bare(what):
                raise
            return self.resolver.resolve(replace(what, amount="all"), ("region",), scope)

    def _kept_clear(self, choice: Choice) -> tuple[str, ...]:
        """Return the places on and around things that robots must keep away from; areas have an edge."""
        things = (s for s in symbols_of(choice) if not s.startswith("R"))
        near = [p for s in things for p in self.world.places_around(s, KEEP_AWAY_M)]
        return tuple(dict.fromkeys(near))

    def _told(self, task: Act, scope: Scope) -> Done:
        scope.telling = True
        try:
            choice = self.resolver.resolve(task.what, ANY, scope)
        finally:
            scope.telling = False
        if task.do == "remark" and kinds_of(choice) != {"object"}:
            raise Unclear(f"What follows from what is said of {describe(task.what)}?")
        return Done("mention", choice)

    @staticmethod
    def _kinds(task: Act) -> tuple[NodeKind, ...]:
        what = task.what.things[0] if isinstance(task.what, Several) else task.what
        if isinstance(what, Thing) and what.of == "there":
            return ANY
        return KINDS[task.do]

    def _destination(self, to: Reference, scope: Scope, moved: Sequence[str]) -> tuple[str, ...]:
        """Return the places that count as where a thing is to be put."""
        scope.handling = False
        choice = self.resolver.resolve(to, ("region", "place", "object"), scope, end=True)
        if isinstance(choice, Joined) and choice.join == "all":
            raise Unclear(f"Nothing can be in two places: {describe(to)}.")
        if any(
            len(option) > 1
            for leaf in leaves(choice)
            if isinstance(leaf, Pick)
            for option in leaf.options
        ):
            raise Unclear(f"Nothing can be in several places: {listing(symbols_of(choice))}.")
        if {*symbols_of(choice)} <= {
            *moved
        }:  # "put the basket over there", and nothing said before
            raise Unclear(f"Where is {describe(to)}? Nothing can be put where it is itself.")
        places: dict[str, None] = {}
        for symbol in symbols_of(choice):
            places.update(dict.fromkeys(self._places(symbol)))
        if not places:
            raise Unclear(f"The map has no place in {describe(to)} where something could be put.")
        return tuple(places)

    def _places(self, symbol: str) -> Sequence[str]:
        found = self.world.find(symbol)
        if found is not None and found[0].kind == "region":
            return self.world.places_in(symbol)
        place = self.world.place_at(symbol)
        return () if place is None else (place,)


def _all_of(task: Act) -> Reference:
    """To avoid a lot, any lot or either lot is to avoid them all."""
    if task.do not in AVOIDING:
        return task.what
    return _every(task.what)


def _is_bare(what: Reference) -> TypeGuard[Thing]:
    """Return whether a noun alone says what is meant: ``the grass``."""
    return isinstance(what, Thing) and what == Thing(noun=what.noun, kind=what.kind, amount="the")


def _every(what: Reference) -> Reference:
    if isinstance(what, Several):
        return Several("all", tuple(_every(t) for t in what.things))
    if what.amount == "any":
        return replace(what, amount="all", count=None)
    return what


# ---- drafts --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stage:
    """A piece of work, and whether it comes after what was told before."""

    work: Work
    then: bool
    told: int = 0
    """Number of the assignment it is of."""

    @property
    def is_ban(self) -> bool:
        """Whether it says what must not be, at any time."""
        return _is_constraint(self.work)

    @property
    def draft(self) -> Draft:
        return _draft(self.work)


def settled_stages(stages: Sequence[Stage]) -> list[Stage]:
    """Return all that one robot is told, one piece of work a stage.

    Where an order is told (``first …, then …``) and the last thing to do is to go somewhere, the robot
    ends there: ``at-*`` and ``in-*`` instead of ``visited-*``.
    """
    flat = [step for stage in stages for step in _flattened(stage)]
    _check_left_alone([s.work for s in flat])
    flat = _without_put_down(flat)
    moving = [i for i, s in enumerate(flat) if not _is_constraint(s.work)]
    ordered = any(flat[i].then for i in moving[1:])
    if ordered:
        last = moving[-1]
        flat[last] = replace(flat[last], work=_ended(flat[last].work))
    return flat


def _flattened(stage: Stage) -> list[Stage]:
    if isinstance(stage.work, Done):
        return [] if stage.work.do in TOLD else [stage]
    if stage.work.order == "all" and len(stage.work.parts) == 1:
        return [stage]  # what is only passed, and no place to end at
    if stage.work.order in ("sequence", "all"):
        ordered = stage.work.order == "sequence"
        inner = [_flattened(Stage(part, False, stage.told)) for part in stage.work.parts]
        out = [
            replace(s, then=s.then or (ordered and i > 0 and j == 0))
            for i, group in enumerate(inner)
            for j, s in enumerate(group)
        ]
        if out:
            out[0] = replace(out[0], then=stage.then)
        return out
    return [stage]


def _is_constraint(work: Work) -> bool:
    return work.do in AVOIDING if isinstance(work, Done) else work.order == "not"


def _ended(work: Work) -> Work:
    """Return the last piece of work with going turned into being, where that is one place."""
    if isinstance(work, Group):
        return (
            Group(work.order, tuple(_ended(p) for p in work.parts)) if work.order == "any" else work
        )
    one = all(
        len(o) == 1 for leaf in leaves(work.choice) if isinstance(leaf, Pick) for o in leaf.options
    )
    together = isinstance(work.choice, Joined) and work.choice.join == "all"
    return replace(work, do="be") if work.do == "go" and one and not together else work


def _without_put_down(stages: list[Stage]) -> list[Stage]:
    """Drop the picking up of what is put down later, the going where one is to stay: only the end counts."""
    later = {"pick": "place", "take": "place", "go": "be"}
    kept = []
    for i, stage in enumerate(stages):
        work = stage.work
        follows = [s.work for s in stages[i + 1 :]]
        undone = isinstance(work, Done) and any(
            isinstance(w, Done) and w.do == later.get(work.do) and _same(w.choice, work.choice)
            for w in follows
        )
        if not undone:
            kept.append(stage)
    return kept


def _check_left_alone(works: Sequence[Work]) -> None:
    """Refuse to put somewhere what must not be handled; that it is not held in the end does not say so."""
    done = [w for w in works if isinstance(w, Done)]
    alone = {s for w in done if w.do == "leave_alone" for s in symbols_of(w.choice)}
    moved = [s for w in done if w.do == "place" for s in symbols_of(w.choice) if s in alone]
    if moved:
        raise Unclear(f"{listing(moved)}: how can it be moved, and not be touched?", moved)


def _same(a: Choice, b: Choice) -> bool:
    return a is b or (is_settled(a) and is_settled(b) and set(symbols_of(a)) == set(symbols_of(b)))


def _draft(work: Work) -> Draft:
    if isinstance(work, Group):
        parts = tuple(_draft(part) for part in work.parts if not _is_mention(part))
        if work.order == "any":
            return Either(parts)
        if work.order != "not":
            return Both(parts)
        one = work.parts[0] if len(work.parts) == 1 else None
        return _ban(one) if isinstance(one, Done) and one.do != "place" else Never(Both(parts))
    if work.do in AVOIDING:
        return _ban(work)
    if work.do == "place":
        return over(work.choice, lambda option: conjunction([_put(o, work.to) for o in option]))
    return _over_kinds(work)


def _ban(work: Done) -> Formula:
    """Return what must not be true of anything that is banned, nor of the places around it."""
    do = "pick" if work.do == "leave_alone" else "go" if work.do in AVOIDING else work.do
    banned = [*_nodes(work.choice), *((place, "place") for place in work.to)]
    return conjunction([Not(_atom(do, symbol, kind)) for symbol, kind in banned])


def _is_mention(work: Work) -> bool:
    return isinstance(work, Done) and work.do in TOLD


def without_mentions(work: Work) -> Work:
    """Return a piece of work without what is only spoken of."""
    if isinstance(work, Done):
        return work
    parts = tuple(without_mentions(part) for part in work.parts if not _is_mention(part))
    return parts[0] if len(parts) == 1 else Group(work.order, parts)


def _put(thing: str, places: Sequence[str]) -> Formula:
    return disjunction([Atom("object-in-place", (thing, place)) for place in places])


def _over_kinds(work: Done) -> Draft:
    def parts(choice: Choice) -> Draft:
        if isinstance(choice, Joined):
            inner = tuple(parts(part) for part in choice.parts)
            return Both(inner) if choice.join == "all" else Either(inner)
        return over(choice, each(_predicate(work.do, choice.kind)))

    return parts(work.choice)


def _predicate(do: str, kind: str) -> str:
    if do == "go" or (do == "take" and kind == "region"):
        return f"visited-{kind}"
    if do == "be":
        return AT[kind]
    if do in ("inspect", "explore"):
        return "explored-region" if kind == "region" else "safe"
    return "holding"


def _atom(do: str, symbol: str, kind: str) -> Atom:
    return Atom(_predicate(do, kind), (symbol,))


def _nodes(choice: Choice) -> list[tuple[str, str]]:
    return [
        (symbol, leaf.kind)
        for leaf in leaves(choice)
        for group in ((leaf.options) if isinstance(leaf, Pick) else (leaf.pool,))
        for symbol in group
    ]
