"""Carrying plans out in the memory, step by step, and planning again where the graph changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from commonground.grounding.knowledge.facts import Fact, fact_of
from commonground.grounding.knowledge.records import Source
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.planning.planner import TaskPlan, TaskPlanner, needed_by
from commonground.grounding.memory.planning.problem import make_task
from commonground.planning.pddl import TRUE, Atom, Step, World, execute
from commonground.planning.pddl.formula import negated_atom

Look = Callable[[Fact], bool | None]
"""Tells whether a fact holds in the world; None: it cannot be seen."""


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """What came of carrying a plan out in the memory."""

    done: tuple[Step, ...]
    reason: str = ""
    """Why it stopped, where it did."""
    plan: TaskPlan | None = None
    """The last plan, which differs from the first where something changed on the way."""


def carry_out(
    planner: TaskPlanner,
    plan: TaskPlan,
    robot: str,
    act: Callable[[Step], str] | None = None,
    replans: int = 3,
    look: Look | None = None,
) -> CarriedOut:
    """Take a plan step by step, entering each step's effects into the graph; replan where the graph changed.

    ``act`` does a step in the world and returns why it failed, or an empty text. ``look`` tells whether a
    fact holds, None where it cannot; what there is reason to doubt is looked at just before it is needed,
    and what a step needs after it has failed, so that the next plan does not fail there again. A thing that
    is not where it is believed to be is looked for where it may be instead.
    """
    done: list[Step] = []
    while True:
        stopped = _steps(planner, plan, robot, act, look, done)
        if stopped is None:
            return CarriedOut(tuple(done), "", plan)
        if replans == 0 or plan.goal is None:
            return CarriedOut(tuple(done), stopped, plan)
        replans -= 1
        again = planner.plan(plan.goal)
        if again.status != "ok":
            return CarriedOut(tuple(done), f"{stopped}; no new plan: {again.reason}", again)
        plan = again


def _steps(
    planner: TaskPlanner,
    plan: TaskPlan,
    robot: str,
    act: Callable[[Step], str] | None,
    look: Look | None,
    done: list[Step],
) -> str | None:
    """Take the steps of one plan; return why it stopped, or None where it is finished."""
    store = planner.store
    known: int | None = plan.tx
    for index, step in enumerate(plan.steps):
        _look(store, plan, index, robot, look)
        store.refresh()
        if store.tx != known:
            broken = _broken(store, plan, index)
            if broken is not None:
                return f"before step {index + 1}, {broken}"
            known = store.tx
        failed = act(step) if act is not None else ""
        if failed:
            _look_around(planner, step, robot, look)
            return f"step {index + 1} {step} failed: {failed}"
        store.refresh()
        undisturbed = store.tx == known
        entered = enter(store, step, robot)
        known = entered if undisturbed else None
        done.append(step)
    return None


def _look(store: KnowledgeStore, plan: TaskPlan, index: int, robot: str, look: Look | None) -> None:
    """Look at what a step needs and there is reason to doubt, and believe what is seen."""
    _look_at(store, (a.fact for a in plan.assumes if a.step == index), robot, look)


def _look_around(planner: TaskPlanner, step: Step, robot: str, look: Look | None) -> None:
    """Look at all that a step needs which failed."""
    store = planner.store
    task = make_task(store.vocabulary.domain, store.kinds, store.facts, TRUE, fixed=store.fixed)
    _look_at(store, needed_by(task, step), robot, look)


def _look_at(store: KnowledgeStore, facts: Iterable[Fact], robot: str, look: Look | None) -> None:
    """Look at facts, and believe what is seen; what is not where it should be is looked for."""
    for fact in facts if look is not None else ():
        holds = look(fact) if look is not None else None
        if holds is None or look is None:
            continue
        if holds or fact.is_property:
            believed, gone = [fact if holds else fact.opposite], list[Fact]()
        else:
            found = next((f for f in elsewhere(store, fact) if look(f)), None)
            believed, gone = [] if found is None else [found], [fact]
        source = Source("robot", robot, f"looked: {'' if holds else 'not '}{' '.join(fact)}")
        store.assert_facts(believed, source, retracted=gone)


def _broken(store: KnowledgeStore, plan: TaskPlan, index: int) -> str | None:
    """Return why the steps left no longer reach the goal from what is believed now, or None."""
    if plan.goal is None:
        return None
    task = make_task(
        store.vocabulary.domain, store.kinds, store.facts, plan.goal, fixed=store.fixed
    )
    run = execute(task, plan.steps[index:])
    if run.valid:
        return None
    linked = plan.rests_on | {fact.opposite for fact in plan.rests_on if fact.is_property}
    changed = sorted(store.changed_since(plan.tx) & linked)
    return f"{changed[0]} has changed" if changed else f"the house has changed: {run.failure}"


def enter(store: KnowledgeStore, step: Step, robot: str) -> int:
    """Enter a step's effects into the graph as the robot's own doing; return the change."""
    adds, deletes = _effects(store, step)
    outcome = store.assert_facts(adds, Source("robot", robot, str(step)), retracted=deletes)
    return outcome.tx


def _effects(store: KnowledgeStore, step: Step) -> tuple[list[Fact], list[Fact]]:
    """Return what a step makes so and ends, by what is believed of the conditions of its effects."""
    domain = store.vocabulary.domain
    action = domain.action(step.action)
    effects = getattr(action, "effects", ())
    if any(effect.parameters or effect.condition != TRUE for effect in effects):
        world = World(make_task(domain, store.kinds, store.facts, TRUE, fixed=store.fixed))
        found = world.changes(effects, world.bind(step)[1])
        adds, deletes = found.adds, found.deletes
    else:
        binding = {
            typed.name: term for typed, term in zip(action.parameters, step.args, strict=True)
        }
        adds, deletes = set[Atom](), set[Atom]()
        for effect in effects:
            negative = negated_atom(effect.change)
            atom = negative or effect.change
            if isinstance(atom, Atom):
                bound = Atom(atom.predicate, tuple(binding.get(t, t) for t in atom.args))
                (deletes if negative is not None else adds).add(bound)
    return _facts(adds), _facts(deletes)


def _facts(atoms: Iterable[Atom]) -> list[Fact]:
    return sorted(fact_of(atom) for atom in atoms if 1 <= len(atom.args) <= 2)


MOST = 60
"""So many places are looked at for one thing."""


def elsewhere(store: KnowledgeStore, gone: Fact) -> Iterator[Fact]:
    """Yield what may hold of a thing instead of a fact that was found not to, the likeliest first.

    That are the facts that exclude it by the domain's groups: where the thing was believed or said to be
    before, newest first, then what fits, places of the same type as the one where it is not before others.
    """
    possible = dict.fromkeys(_instead_of(store, gone))
    claimed = [claim.fact for claim in store.claims(gone.subject) if claim.holds]
    before = [record.fact for record in reversed(store.history(gone.subject))]
    known = [fact for fact in (*claimed, *before) if fact in possible]
    kind = store.kinds.get(gone.object)
    alike = [fact for fact in possible if store.kinds.get(fact.object) == kind]
    yield from [*dict.fromkeys([*known, *alike, *possible])][:MOST]


def _instead_of(store: KnowledgeStore, gone: Fact) -> Iterator[Fact]:
    vocabulary = store.vocabulary
    for group, own in store.groups.of(gone.relation):
        if own.order != (0,):
            continue
        for part in group.parts:
            if part.order != (0,) or part.arity != 2:
                continue
            for place in store.kinds:
                fact = Fact(gone.subject, part.predicate, place)
                if fact != gone and vocabulary.problem(fact, store.kinds) is None:
                    yield fact
