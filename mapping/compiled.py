"""The decorator of every inner loop of this part: compiled on first use, kept on disk for the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function of numbers and arrays with numba; it releases the interpreter's lock."""
    from numba import njit

    return cast(Function, njit(cache=True, nogil=True)(function))
