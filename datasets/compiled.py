"""numba's decorator with types kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(**options: Any) -> Callable[[Loop], Loop]:
    """Return the decorator that compiles a loop and caches it on disk; it releases the interpreter lock."""
    decorator: Callable[[Loop], Loop] = njit(cache=True, nogil=True, error_model="numpy", **options)
    return decorator
