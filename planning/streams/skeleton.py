"""Skeletons: plans with unknown values, and the search for values that make them work.

A skeleton is an action plan with the streams it needs in order. A binding fixes the outputs of a prefix of
them; from each binding the next stream is called, possibly again and again, and every output tuple it
yields is a binding one longer. Bindings that took few calls come first, so the search broadens evenly.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from commonground.planning.streams.grounder import FactKey
from commonground.planning.streams.instances import Numbers, StreamInstance, of_user
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.language import INF
from commonground.planning.streams.reorder import reorder
from commonground.planning.streams.retrace import Need, Outline

MayCall = Callable[[], bool]
Names = Mapping[int, int]
"""Real objects for placeholders."""


@dataclass(slots=True, eq=False)
class Skeleton:
    """An outline with its needs in the order in which they are asked."""

    outline: Outline
    needs: list[Need]
    deferred: int = 0
    """How many needs at the end are left unbound, because the plan is to be made anew before them."""
    cut: int | None = None
    """The number of steps of the plan kept where needs are left unbound."""

    @property
    def asked(self) -> int:
        """How many needs are to be bound."""
        return len(self.needs) - self.deferred


@dataclass(slots=True, eq=False)
class Binding:
    """Values for the outputs of the first needs of a skeleton."""

    skeleton: Skeleton
    depth: int
    names: Names
    facts: tuple[int, ...]
    """What the calls so far certified."""
    spent: int
    """The calls beyond the first that this binding took."""
    used: int = 0
    """How many output tuples of the next need have been tried."""
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Bound:
    """A plan with all its values."""

    steps: list[tuple[str, Numbers]]
    cost: float
    facts: tuple[int, ...]
    replan: bool
    """The plan is a prefix; the rest is to be planned when it has been carried out."""
    sampled: bool
    """Some of its values were unknown when it was made, and may be others that it uses."""


class SkeletonQueue:
    """Bindings of all skeletons, the most promising first."""

    def __init__(
        self,
        knowledge: Knowledge,
        on_solution: Callable[[Bound], None],
        *,
        unit_costs: bool = False,
    ) -> None:
        self.knowledge, self.on_solution, self.unit_costs = knowledge, on_solution, unit_costs
        self.max_cost = INF
        self.failed: dict[StreamInstance, None] = {}
        """Fluent stream instances that yielded nothing."""
        self.stopped: Binding | None = None
        """The last binding whose next stream may not be called."""
        self.paused: list[Binding] = []
        """Bindings whose next stream may not be called again for now."""
        self._queue: list[tuple[int, int, float, int, Binding]] = []
        self._order = itertools.count()

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, skeleton: Skeleton) -> None:
        """Add a skeleton with nothing bound."""
        self._push(Binding(skeleton, 0, {}, (), 0))

    def _push(self, binding: Binding) -> None:
        remaining = binding.skeleton.asked - binding.depth
        cost = self._cost_so_far(binding)
        entry = (binding.spent + binding.visits, remaining, cost, next(self._order), binding)
        heapq.heappush(self._queue, entry)

    def resume(self) -> None:
        """Go on with paused bindings."""
        paused, self.paused, self.stopped = self.paused, [], None
        for binding in paused:
            self._push(binding)

    def pause(self) -> None:
        """Go on with no binding before ``resume``."""
        self.paused += [entry[-1] for entry in self._queue]
        self._queue.clear()

    def process(self, may_call: Callable[[StreamInstance], bool] = lambda _: True) -> None:
        """Take the most promising binding and ask its next need once, if it may be called."""
        *_, binding = heapq.heappop(self._queue)
        if self._cost_so_far(binding) >= self.max_cost:
            return
        if binding.depth == binding.skeleton.asked:
            self._finish(binding)
            return
        need = binding.skeleton.needs[binding.depth]
        inputs = tuple(binding.names.get(n, n) for n in need.inputs)
        state = frozenset(
            (p, tuple(binding.names.get(n, n) for n in args)) for p, args in need.state
        )
        instance = self.knowledge.instance(need.stream, inputs, state)
        ask = self._test if need.stream.is_test else self._sample
        ask(binding, need, instance, lambda: not instance.enumerated and may_call(instance))

    # ---- one need -----------------------------------------------------------------------------

    def _test(
        self, binding: Binding, need: Need, instance: StreamInstance, may_call: MayCall
    ) -> None:
        """Ask a test; it may be asked again while it has not given the answer that is needed."""
        asked = not instance.outputs and may_call()
        if asked:
            self.knowledge.call(instance)
        if not instance.calls:
            return
        if bool(instance.outputs) == need.positive:
            self._extend(binding, instance, (), 0)
        elif need.positive and instance.enumerated:
            self._note_failure(instance)
        elif need.positive and asked:
            binding.visits += 1
            self._push(binding)

    def _sample(
        self, binding: Binding, need: Need, instance: StreamInstance, may_call: MayCall
    ) -> None:
        """Try the next output tuples, calling the stream where all it yielded have been tried."""
        asked = binding.used >= len(instance.outputs) and may_call()
        if asked:
            self.knowledge.call(instance)
        elif not instance.calls:
            self.stopped = binding
            return
        fresh = instance.outputs[binding.used :]
        binding.used = len(instance.outputs)
        known = self.knowledge.objects.known
        for outputs, call in fresh:
            names = dict(zip(need.outputs, outputs, strict=True))
            if all(number == value for number, value in names.items() if known((number,))):
                self._extend(binding, instance, outputs, call, names)
        binding.visits += 1
        if not instance.enumerated and (asked or fresh):
            self._push(binding)
        elif instance.failed:
            self._note_failure(instance)
        elif not instance.enumerated:
            self.paused.append(binding)

    def _note_failure(self, instance: StreamInstance) -> None:
        if instance.stream.spec.fluents:
            self.failed[instance] = None

    def _extend(
        self,
        binding: Binding,
        instance: StreamInstance,
        outputs: Numbers,
        call: int,
        names: Names | None = None,
    ) -> None:
        positive = binding.skeleton.needs[binding.depth].positive
        certified = self.knowledge.certified(instance, outputs) if positive else ()
        longer = Binding(
            binding.skeleton,
            binding.depth + 1,
            {**binding.names, **names} if names else binding.names,
            (*binding.facts, *certified),
            binding.spent + call,
        )
        self._push(longer)

    # ---- costs --------------------------------------------------------------------------------

    def _function(self, key: FactKey, names: Names, *, call: bool) -> float:
        args = tuple(names.get(n, n) for n in key[1])
        if call and self.knowledge.objects.known(args):
            return self.knowledge.evaluate((key[0], args))
        return self.knowledge.estimate((key[0], args))

    def _cost_so_far(self, binding: Binding) -> float:
        return self._cost(binding, call=False)

    def _cost(self, binding: Binding, *, call: bool) -> float:
        steps = binding.skeleton.outline.costs[: binding.skeleton.cut]
        if self.unit_costs:
            return float(len(steps))
        return sum(
            constant
            + sum(factor * self._function(key, binding.names, call=call) for factor, key in terms)
            for constant, terms in steps
        )

    def _finish(self, binding: Binding) -> None:
        cost = self._cost(binding, call=True)
        if cost >= self.max_cost:
            return
        skeleton = binding.skeleton
        steps = [
            (name, tuple(binding.names.get(n, n) for n in args))
            for name, args in skeleton.outline.steps[: skeleton.cut]
        ]
        facts = tuple(f for f in skeleton.outline.facts if f in self.knowledge.real)
        whole = tuple(dict.fromkeys((*facts, *binding.facts)))
        self.on_solution(Bound(steps, cost, whole, skeleton.cut is not None, bool(binding.names)))


def plain_name(name: str) -> str:
    """Return the name of an action without what tells the steps of plan skeletons apart."""
    return name.split(" ", maxsplit=1)[0]


def make_skeleton(
    outline: Outline, knowledge: Knowledge, replan_actions: frozenset[str], *, optimize: bool
) -> Skeleton:
    """Return the skeleton of an outline; deferrable needs after the first replan action are left unbound."""
    order = reorder(outline, knowledge, optimize=optimize)
    names = [plain_name(name) for name, _ in outline.steps]
    replan = next((i for i, name in enumerate(names) if name in replan_actions), None)
    late = {i for i in order if _deferrable(outline.needs[i], knowledge)}
    late = _with_followers(late, outline)
    dropped = _droppable(late, replan, outline)
    by_turn = sorted(order, key=lambda i: (i in late) + (i in dropped))  # stable
    cut = replan + 1 if replan is not None and dropped else None
    return Skeleton(outline, [outline.needs[i] for i in by_turn], len(dropped), cut)


def _droppable(late: set[int], replan: int | None, outline: Outline) -> set[int]:
    """Return the late needs that may stay unbound because the plan is made anew before they come up."""
    if replan is None:
        return set()
    dropped = _with_followers({i for i in late if outline.first_step[i] > replan}, outline)
    asked_before = any(outline.first_step[i] <= replan for i in dropped)
    return set() if asked_before else dropped


def _with_followers(chosen: set[int], outline: Outline) -> set[int]:
    found = set(chosen)
    while True:
        fresh = {i for i, before in enumerate(outline.after) if before & found} - found
        if not fresh:
            return found
        found |= fresh


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a ``defer_fn`` is shown of a need."""

    need: Need
    knowledge: Knowledge
    refined: bool = field(default=True)

    @property
    def name(self) -> str:
        return self.need.stream.spec.name

    def is_refined(self) -> bool:
        return self.refined

    def unbound(self) -> Mapping[str, bool]:
        names, objects = self.need.stream.spec.inputs, self.knowledge.objects
        return {
            name: objects.placeholder[n] is not None
            for name, n in zip(names, self.need.inputs, strict=True)
        }


def _deferrable(need: Need, knowledge: Knowledge) -> bool:
    asked, info = _Asked(need, knowledge), need.stream.info
    return of_user(f"the defer_fn of '{asked.name}'", (), lambda: bool(info.defer_fn(asked)))
