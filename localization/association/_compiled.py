"""How the inner loops are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(function: Loop) -> Loop:
    """Compile a loop at its first call and keep it on disk; it releases the interpreter lock."""
    return cast(Loop, njit(cache=True, nogil=True, fastmath=True)(function))
