"""Optimistic facts: those that streams not called yet might certify.

Placeholders are shared first: all calls of a stream yield the same one, which makes few facts and a most
hopeful plan. Those that a plan relies on are then told apart: each instance yields its own. Where that is
not enough, an output may also be one of the objects that the goal names.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from commonground.planning.streams.info import PartialInputs
from commonground.planning.streams.instances import (
    Numbers,
    OptimisticResult,
    StreamInstance,
    of_user,
)
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.stream_syntax import StreamSpec

_MOST_DOUBLINGS = 60
_ALL_PER_MAKER = 2


@dataclass(frozen=True, slots=True)
class Mode:
    """What streams are made up to yield."""

    shared: bool
    """One placeholder for many calls, rather than one for each."""
    named: bool = False
    """Also the objects that the goal names."""
    only_tests: bool = False
    """Nothing: only tests are yet to be asked, and streams that see the state."""


Signature = tuple[str, Numbers]
"""A stream and its inputs, with unique placeholders replaced by the shared ones they refine."""


@dataclass(slots=True)
class Hope:
    """The facts that may be relied upon in one search."""

    level: int
    """How often a stream may be called again."""
    producer: dict[int, OptimisticResult] = field(default_factory=dict)
    """How each fact that is not real would be certified."""
    effort: dict[int, float] = field(default_factory=dict)
    """The expected seconds of all the streams it takes."""
    next_level: float = float("inf")
    """The least level at which an instance left out would be included."""

    def holds(self, fact: int, knowledge: Knowledge) -> bool:
        """Return whether a static fact is real or hoped for."""
        return fact in knowledge.real or fact in self.producer


class Optimist:
    """Makes up results of stream instances and remembers them between searches."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._made: dict[tuple[StreamInstance, Mode], list[OptimisticResult]] = {}
        self._shared: dict[tuple[Any, ...], int] = {}

    def hope(
        self,
        level: int,
        mode: Mode,
        *,
        only: frozenset[Signature] | None = None,
        max_depth: int = 1 << 30,
        max_instances: int = 4000,
        deadline: float = float("inf"),
    ) -> Hope:
        """Return what can be hoped for when no stream is called again more than ``level`` times.

        ``only`` restricts streams with outputs to some signatures (tests are always included).
        """
        spreading = _Spreading(self, Hope(level), mode, only, max_depth, max_instances)
        for count in itertools.count():
            if not spreading.take_one():
                break
            if count % 64 == 0 and time.monotonic() > deadline:
                break
        return spreading.hope

    # ---- results ------------------------------------------------------------------------------

    def results(self, instance: StreamInstance, mode: Mode) -> list[OptimisticResult]:
        key = (instance, mode)
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = [
                self._result(instance, outputs) for outputs in self._outputs(instance, mode)
            ]
        return known

    def _result(self, instance: StreamInstance, outputs: Numbers) -> OptimisticResult:
        certified = self.knowledge.certified(instance, outputs)
        for fact in certified:
            self.knowledge.database.add(*self.knowledge.facts.keys[fact])
        return OptimisticResult(instance, outputs, certified)

    def _outputs(self, instance: StreamInstance, mode: Mode) -> Iterator[Numbers]:
        spec = instance.stream.spec
        info = instance.stream.info.opt_gen_fn or PartialInputs()
        if not spec.outputs:
            yield ()
            return
        depth = 1 + self.knowledge.objects.depth(instance.inputs)
        for index, keys in enumerate(self._keys(instance, info)):
            together = tuple(
                self._placeholder((spec.name, name, index, key), name, depth)
                for name, key in zip(spec.outputs, keys, strict=True)
            )
            own = not mode.shared or (isinstance(info, PartialInputs) and info.unique)
            outputs = self._told_apart(spec, together, depth) if own else together
            yield outputs
            for number in self.knowledge.model.named if mode.named else ():
                for position in range(len(outputs)):
                    yield (*outputs[:position], number, *outputs[position + 1 :])

    def _told_apart(self, spec: StreamSpec, together: Numbers, depth: int) -> Numbers:
        return tuple(
            self.knowledge.objects.invent(spec.name, name, representative, depth)
            for name, representative in zip(spec.outputs, together, strict=True)
        )

    def _keys(
        self, instance: StreamInstance, info: PartialInputs | Callable[..., Any]
    ) -> Iterator[Sequence[Any]]:
        """Yield, for each output tuple, what tells the shared placeholder of each output apart."""
        spec = instance.stream.spec
        if isinstance(info, PartialInputs):
            named = dict(zip(spec.inputs, self._representatives(instance), strict=True))
            chosen = (
                tuple(named.values())
                if info.unique
                else tuple(named[n] for n in info.inputs.split())
            )
            for index in range(info.num):
                yield [(index, *chosen)] * len(spec.outputs)
            return
        values = self.knowledge.objects.values_of(instance.inputs)
        told = f"the opt_gen_fn of stream '{spec.name}'"
        lists = of_user(told, values, lambda: [list(rows or ()) for rows in info(*values)])
        yield from (instance.row(keys) for rows in lists for keys in rows)

    def _representatives(self, instance: StreamInstance) -> Numbers:
        return self.knowledge.objects.representatives(instance.inputs)

    def _placeholder(self, key: tuple[Any, ...], name: str, depth: int) -> int:
        """Return the shared placeholder for a key; equal keys are one placeholder."""
        try:
            known = self._shared.get(key)
        except TypeError:  # a made-up value that cannot be hashed is told apart by its text
            return self._placeholder((*key[:-1], repr(key[-1])), name, depth)
        if known is None:
            known = self._shared[key] = self.knowledge.objects.invent(key[0], name, None, depth)
        return known


class _Spreading:
    """Extends a hope instance by instance, those with the fewest repeated calls first."""

    def __init__(
        self,
        optimist: Optimist,
        hope: Hope,
        mode: Mode,
        only: frozenset[Signature] | None,
        max_depth: int,
        max_instances: int,
    ) -> None:
        self.optimist, self.knowledge, self.hope = optimist, optimist.knowledge, hope
        self.mode, self.only, self.max_depth = mode, only, max_depth
        self.left = max_instances
        """How many more instances may make up outputs; a test left out would count as failed."""
        self.most = len(self.knowledge.instances) + _ALL_PER_MAKER * max_instances
        """Of all kinds: outputs that feed each other make far more tests of pairs than there are of them."""
        level = self.knowledge.level
        self.repeats = {f: o.repeats for f, o in self.knowledge.real.items() if o.repeats <= level}
        self.missing: dict[StreamInstance, int] = {}
        """How many facts of its domain cannot be hoped for yet."""
        self.queue: list[tuple[int, int, StreamInstance]] = []
        self.order = itertools.count()
        self.seen = 0

    def take_one(self) -> bool:
        """Hope for the results of one more instance; False where there is none."""
        for instance in self.knowledge.instances[self.seen :]:
            self.missing[instance] = sum(not self._met(fact) for fact in instance.domain)
            if self.missing[instance] == 0:
                self._push(instance)
        self.seen = len(self.knowledge.instances)
        if not self.queue:
            return False
        repeats, _, instance = heapq.heappop(self.queue)
        if self._usable(instance, repeats):
            for result in self.optimist.results(instance, self.mode):
                for fact in result.certified:
                    self._add(fact, result, repeats)
            self.knowledge.ground_new()
        return True

    def _met(self, fact: int) -> bool:
        fluents = self.knowledge.model.fluents
        return fact in self.repeats or self.knowledge.facts.keys[fact][0] in fluents

    def _push(self, instance: StreamInstance) -> None:
        before = max((self.repeats.get(fact, 0) for fact in instance.domain), default=0)
        heapq.heappush(self.queue, (before + instance.calls, next(self.order), instance))

    def _add(self, fact: int, result: OptimisticResult, repeats: int) -> None:
        if fact in self.repeats:
            return
        self.repeats[fact] = repeats
        self.hope.producer[fact] = result
        effort = result.instance.effort(self.knowledge.objects) * self._patience(result.instance)
        before = (self.hope.effort.get(needed, 0.0) for needed in result.instance.domain)
        self.hope.effort[fact] = effort + sum(before)
        for waiting in self.knowledge.waiting.get(fact, ()):
            if waiting in self.missing:
                self.missing[waiting] -= 1
                if self.missing[waiting] == 0:
                    self._push(waiting)

    def _patience(self, instance: StreamInstance) -> float:
        """Return how many times dearer a call is for the calls that its inputs took: twice for each.

        A stream that feeds itself could go on for ever, one cheap call after the other, while another one
        that is said to be dear is never asked. With doubled efforts both have their turn.
        """
        real = self.knowledge.real
        calls = max((real[f].complexity for f in instance.domain if f in real), default=0)
        return 2.0 ** min(calls, _MOST_DOUBLINGS)

    def _usable(self, instance: StreamInstance, repeats: int) -> bool:
        fluent = bool(instance.stream.spec.fluents)
        if (instance.enumerated and not fluent) or not self._is_allowed(instance):
            return False
        if repeats > self.hope.level and not fluent:
            self.hope.next_level = min(self.hope.next_level, repeats)
            return False
        if instance.stream.is_test:
            return True
        self.left -= 1
        few = len(self.knowledge.instances) < self.most
        return (
            few
            and self.left >= 0
            and self.knowledge.objects.depth(instance.inputs) < self.max_depth
        )

    def _is_allowed(self, instance: StreamInstance) -> bool:
        objects = self.knowledge.objects
        asked = instance.stream.is_test or bool(instance.stream.spec.fluents)
        if self.mode.only_tests and not asked:
            return False
        if self.mode.shared:
            return True
        held = (objects.placeholder[number] for number in instance.inputs)
        if any(placeholder is not None and placeholder.shared for placeholder in held):
            return False
        if self.only is None or instance.stream.is_test:
            return True
        return (instance.name, objects.representatives(instance.inputs)) in self.only
