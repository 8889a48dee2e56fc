"""Settings of streams, functions and plans that users may give beyond the PDDL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from commonground.planning.streams.language import INF

WILD = "*"
"""In a plan skeleton: any argument."""


@dataclass(frozen=True, slots=True)
class PartialInputs:
    """Which inputs the placeholder of an output depends on: the named ones, or all of them (``unique``)."""

    inputs: str = ""
    unique: bool = False
    num: int = 1


class Deferrable(Protocol):
    """What a ``defer_fn`` is asked about: a result of a stream plan."""

    @property
    def name(self) -> str:
        """The stream's name."""

    def is_refined(self) -> bool:
        """Return whether the placeholders stand for one value each."""

    def unbound(self) -> Mapping[str, bool]:
        """Tell for each input parameter whether its value is still unknown."""


DeferFn: TypeAlias = Callable[..., bool]


def never_defer(*_args: Any, **_kwargs: Any) -> bool:
    """Never leave a stream for later."""
    return False


def defer_shared(*_args: Any, **_kwargs: Any) -> bool:
    """Always leave a stream for later if the plan permits."""
    return True


def defer_unique(result: Deferrable, *_args: Any, **_kwargs: Any) -> bool:
    """Leave a stream for later where its placeholders stand for one value each."""
    return result.is_refined()


def get_defer_any_unbound(unique: bool = False) -> DeferFn:
    """Return a function that defers a stream while any of its inputs is unknown."""

    def defer(result: Deferrable, *_args: Any, **_kwargs: Any) -> bool:
        return (not unique or result.is_refined()) and any(result.unbound().values())

    return defer


def get_defer_all_unbound(inputs: str = "", unique: bool = False) -> DeferFn:
    """Return a function that defers a stream while all of the named inputs are unknown."""
    names = inputs.split()

    def defer(result: Deferrable, *_args: Any, **_kwargs: Any) -> bool:
        unbound = result.unbound()
        return (not unique or result.is_refined()) and all(
            unbound.get(name, False) for name in names
        )

    return defer


@dataclass(frozen=True)
class StreamInfo:
    """How one stream is handled."""

    opt_gen_fn: PartialInputs | Callable[..., Any] | None = field(default_factory=PartialInputs)
    """Its placeholders: which inputs tell them apart (None: none of them), or a generator of lists of
    output tuples."""
    eager: bool = False
    """Called as soon as its inputs are known."""
    p_success: float | None = None
    overhead: float | None = None
    """Seconds of one call."""
    negate: bool = False
    """For tests: failing certifies the negation."""
    effort: float | Callable[..., float] | None = None
    effort_fn: Callable[..., float] | None = None
    simultaneous: bool = False
    defer_fn: DeferFn = never_defer
    eager_skeleton: bool = False
    verbose: bool = True


@dataclass(frozen=True)
class FunctionInfo:
    """How one numeric function or predicate is handled."""

    opt_fn: Callable[..., Any] | None = None
    """A lower bound of the value, asked before the function itself is called."""
    eager: bool = False
    p_success: float | None = None
    overhead: float | None = None
    effort: float | Callable[..., float] | None = None
    defer_fn: DeferFn = never_defer
    verbose: bool = True


PredicateInfo = FunctionInfo


def add_opt_function(
    name: str,
    base_fn: Callable[..., float],
    stream_map: dict[str, Any],
    stream_info: dict[str, Any],
    constant: float = 0.0,
    coefficient: float = 1.0,
    **info: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Add a cost that is at least ``constant``, which plans with unknown values count with."""
    stream_map[name] = lambda *args, **kwargs: constant + coefficient * base_fn(*args, **kwargs)
    stream_info[name] = FunctionInfo(opt_fn=lambda *_args, **_kwargs: constant, **info)
    return stream_map, stream_info


SkeletonStep: TypeAlias = "tuple[str, Sequence[Any]]"


@dataclass(frozen=True)
class PlanConstraints:
    """Which plans are legal.

    A skeleton is a sequence of ``(action, args)``: an argument is a value, `WILD`, a ``?variable`` that
    must be the same wherever it stands, or the name of a group of values.
    """

    skeletons: Sequence[Sequence[SkeletonStep]] | None = None
    groups: Mapping[Any, Sequence[Any]] = field(default_factory=dict)
    exact: bool = True
    """A plan is one of the skeletons, rather than has one as a subsequence."""
    hint: bool = False
    max_cost: float = INF
