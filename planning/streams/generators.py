"""Adapters that make the user's procedures generators of lists of output tuples."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from commonground.planning.streams.language import INF, Expression

Outputs: TypeAlias = Sequence[Any]
ListGenerator: TypeAlias = Callable[..., Iterator[Any]]


class WildOutput:
    """What a wild stream yields: output tuples together with facts of any kind."""

    def __init__(
        self,
        values: Sequence[Outputs] = (),
        facts: Sequence[Expression] = (),
        enumerated: bool = False,
        replan: bool = False,
    ) -> None:
        self.values, self.facts = list(values), list(facts)
        self.enumerated, self.replan = enumerated, replan


class BoundedGenerator(Iterator[Any]):
    """A generator known to end after some calls, so that nobody asks once more in vain."""

    def __init__(self, generator: Iterator[Any], max_calls: float = INF) -> None:
        self.generator, self.max_calls, self.calls = generator, max_calls, 0

    @property
    def enumerated(self) -> bool:
        """Return whether all calls have been made."""
        return self.calls >= self.max_calls

    def __next__(self) -> Any:
        if self.enumerated:
            raise StopIteration
        self.calls += 1
        return next(self.generator)


def from_list_gen_fn(list_gen_fn: Callable[..., Iterable[Any]]) -> ListGenerator:
    """Return a stream procedure from a generator of lists of output tuples."""
    return lambda *args, **kwargs: iter(list_gen_fn(*args, **kwargs))


def from_gen_fn(gen_fn: Callable[..., Iterable[Outputs | None]]) -> ListGenerator:
    """Return a stream procedure from a generator of output tuples; None is an attempt that failed."""

    def generate(*args: Any, **kwargs: Any) -> Iterator[Any]:
        for outputs in gen_fn(*args, **kwargs):
            wild = isinstance(outputs, WildOutput)
            yield outputs if wild else [] if outputs is None else [outputs]

    return generate


def from_list_fn(list_fn: Callable[..., Sequence[Outputs] | WildOutput]) -> ListGenerator:
    """Return a stream procedure from a function that returns all output tuples at once."""

    def generate(*args: Any, **kwargs: Any) -> Iterator[Any]:
        return BoundedGenerator((list_fn(*args, **kwargs) for _ in range(1)), max_calls=1)

    return generate


def from_fn(fn: Callable[..., Outputs | None]) -> ListGenerator:
    """Return a stream procedure from a function that returns one output tuple or None."""

    def list_fn(*args: Any, **kwargs: Any) -> Any:
        outputs = fn(*args, **kwargs)
        return outputs if isinstance(outputs, WildOutput) else [] if outputs is None else [outputs]

    return from_list_fn(list_fn)


def from_test(test: Callable[..., Any]) -> ListGenerator:
    """Return the procedure of a stream without outputs from a boolean function."""
    return from_fn(lambda *args, **kwargs: () if test(*args, **kwargs) else None)


def from_sampler(
    sampler: Callable[..., Outputs | None], max_attempts: float = INF
) -> ListGenerator:
    """Return a stream procedure that calls a sampler again and again."""

    def gen_fn(*args: Any, **kwargs: Any) -> Iterator[Outputs | None]:
        for attempt in itertools.count():
            if attempt >= max_attempts:
                return
            yield sampler(*args, **kwargs)

    return from_gen_fn(gen_fn)


def from_gen(generator: Iterable[Outputs]) -> ListGenerator:
    """Return a stream procedure that yields what an iterable holds."""
    values = list(generator) if isinstance(generator, Sequence) else None
    return from_gen_fn(lambda *args, **kwargs: generator if values is None else values)


def from_constant(outputs: Outputs) -> ListGenerator:
    """Return a stream procedure that yields one output tuple whatever the inputs."""
    return from_fn(fn_from_constant(outputs))


def fn_from_constant(value: Any) -> Callable[..., Any]:
    """Return a function that returns one value whatever the arguments."""
    return lambda *args, **kwargs: value


def empty_gen() -> ListGenerator:
    """Return the procedure of a stream that never yields."""
    return lambda *args, **kwargs: iter(())


def outputs_from_boolean(value: Any) -> Outputs | None:
    """Return the outputs of a test stream."""
    return () if value else None


def universe_test(*_args: Any, **_kwargs: Any) -> bool:
    """Return True."""
    return True


def empty_test(*_args: Any, **_kwargs: Any) -> bool:
    """Return False."""
    return False


def negate_test(test: Callable[..., Any]) -> Callable[..., bool]:
    """Return the test that holds where another does not."""
    return lambda *args, **kwargs: not test(*args, **kwargs)
