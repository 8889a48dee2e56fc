"""Stream instances: a stream with inputs, what it yielded, and its expected cost and success."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from commonground.errors import PlanningError
from commonground.planning.streams.generators import BoundedGenerator, WildOutput, from_fn
from commonground.planning.streams.grounder import FactKey
from commonground.planning.streams.language import Expression
from commonground.planning.streams.model import StreamModel
from commonground.planning.streams.objects import Objects

DEFAULT_OVERHEAD_S = 1e-3
_ENDED = object()
T = TypeVar("T")
Numbers = tuple[int, ...]


class DebugValue(NamedTuple):
    """A made-up output of a stream without a procedure."""

    stream: str
    output: str
    inputs: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"@{self.output[1:]}({', '.join(map(repr, self.inputs))})"


@dataclass(slots=True)
class Rate:
    """How often calls succeeded."""

    calls: int = 0
    successes: int = 0

    def add(self, success: bool) -> None:
        self.calls += 1
        self.successes += success

    @property
    def chance(self) -> float:
        """The chance that a call succeeds, with one pseudo-success before the first."""
        return (1 + self.successes) / (1 + self.calls)


@dataclass(slots=True)
class Statistics:
    """How often a stream succeeded, as a whole and for each object among its inputs."""

    whole: Rate = field(default_factory=Rate)
    by_object: dict[int, Rate] = field(default_factory=dict)

    def add(self, inputs: Numbers, success: bool) -> None:
        self.whole.add(success)
        for number in inputs:
            self.by_object.setdefault(number, Rate()).add(success)

    def p_success(self, model: StreamModel, inputs: Numbers = ()) -> float:
        """Return the chance that a call succeeds; an input that mostly failed lowers it."""
        if model.info.p_success is not None:
            return max(1e-3, model.info.p_success)
        known = (
            rate.chance for number in inputs if (rate := self.by_object.get(number)) is not None
        )
        return min(known, default=self.whole.chance)

    def overhead(self, model: StreamModel) -> float:
        """Return the seconds of a call."""
        return model.info.overhead if model.info.overhead is not None else DEFAULT_OVERHEAD_S


class StreamError(PlanningError):
    """A procedure of the user raised an error or yielded something of the wrong shape."""


def of_user(what: str, values: tuple[Any, ...], procedure: Callable[[], T]) -> T:
    """Return what code that the user gave returns; what it raises is told with whose it is."""
    try:
        return procedure()
    except PlanningError:
        raise
    except (Exception, SystemExit) as error:
        given = f" for ({', '.join(map(repr, values))})"
        raise StreamError(f"{what} raised {type(error).__name__}{given}: {error}") from error


@dataclass(slots=True, eq=False)
class StreamInstance:
    """A stream with its inputs, and for a fluent stream the state it is called in."""

    stream: StreamModel
    inputs: Numbers
    domain: Numbers
    """The facts that its inputs must satisfy."""
    statistics: Statistics
    state: frozenset[FactKey] = frozenset()
    calls: int = 0
    enumerated: bool = False
    outputs: list[tuple[Numbers, int]] = field(default_factory=list)
    """Output tuples with the number of the call that yielded them."""
    _generator: Iterator[Any] | None = None

    @property
    def name(self) -> str:
        return self.stream.spec.name

    @property
    def failed(self) -> bool:
        """Return whether it will never yield anything."""
        return self.enumerated and not self.outputs

    def effort(self, objects: Objects) -> float:
        """Return the expected seconds until it yields something of use.

        That its outputs so far were of no use counts against it, unless the user gave its effort.
        """
        info = self.stream.info
        given = info.effort if info.effort is not None else info.effort_fn
        if callable(given):
            values = objects.values_of(self.inputs)
            told = f"the effort of stream '{self.name}'"
            return of_user(told, values, lambda: float(given(*values)))
        if given is not None:
            return float(given)
        chance = self.statistics.p_success(self.stream, self.inputs)
        once = self.statistics.overhead(self.stream) / chance
        return once * (1 + self.calls)

    def call(self, objects: Objects) -> tuple[list[Numbers], list[Expression]]:
        """Call the stream once more; return new output tuples and, from a wild stream, facts."""
        values = objects.values_of(self.inputs)
        yielded = of_user(f"stream '{self.name}'", values, lambda: self._next(objects))
        if yielded is _ENDED:
            self.enumerated, yielded = True, ()
        if isinstance(self._generator, BoundedGenerator) and self._generator.enumerated:
            self.enumerated = True
        facts: list[Expression] = []
        if isinstance(yielded, WildOutput):
            facts, rows = yielded.facts, list(yielded.values)
            self.enumerated |= yielded.enumerated
        else:
            rows = list(self._checked(yielded))
        found = [tuple(map(objects.yielded, self.row(outputs))) for outputs in rows]
        known = {outputs for outputs, _ in self.outputs}
        fresh = [outputs for outputs in dict.fromkeys(found) if outputs not in known]
        self.outputs += [(outputs, self.calls) for outputs in fresh]
        self.calls += 1
        self.statistics.add(self.inputs, bool(found))
        return fresh, facts

    def _next(self, objects: Objects) -> Any:
        if self._generator is None:
            self._generator = self._start(objects)
        return next(self._generator, _ENDED)

    def _start(self, objects: Objects) -> Iterator[Any]:
        values = objects.values_of(self.inputs)
        procedure = self.stream.procedure or from_fn(self._made_up)
        if self.stream.spec.fluents and self.stream.procedure is not None:
            state = [(name, *objects.values_of(args)) for name, args in sorted(self.state)]
            started = procedure(*values, fluents=state)
        else:
            started = procedure(*values)
        if not isinstance(started, Iterator):
            raise StreamError(
                f"stream '{self.name}' returned {type(started).__name__}, not a generator; "
                "wrap its procedure in from_fn, from_test or from_gen_fn"
            )
        return started

    def _made_up(self, *values: Any) -> tuple[Any, ...]:
        return tuple(DebugValue(self.name, output, values) for output in self.stream.spec.outputs)

    def _checked(self, yielded: Any) -> Sequence[Any]:
        if yielded is None:
            return ()
        if not isinstance(yielded, Sequence) or isinstance(yielded, str):
            raise StreamError(
                f"stream '{self.name}' yielded {yielded!r}, not a list of output tuples; use from_gen_fn"
            )
        return yielded

    def row(self, outputs: Any) -> tuple[Any, ...]:
        """Return an output tuple, if it is one."""
        wanted = len(self.stream.spec.outputs)
        if isinstance(outputs, str) or not isinstance(outputs, Sequence) or len(outputs) != wanted:
            names = " ".join(self.stream.spec.outputs) or "nothing"
            raise StreamError(
                f"stream '{self.name}' yielded {outputs!r}; expected a tuple of {wanted}: {names}"
            )
        return tuple(outputs)


@dataclass(frozen=True, slots=True, eq=False)
class OptimisticResult:
    """What an instance is hoped to yield: placeholders and the facts they would satisfy."""

    instance: StreamInstance
    outputs: Numbers
    certified: Numbers
