"""Public names of a package that are imported only when somebody uses them (PEP 562)."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy_exports(
    package: str, names: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__, __dir__, __all__`` of a package whose names live in the given submodules.

    The five parts use it so that ``import commonground.planning`` costs a millisecond and the name's
    libraries (open3d, gtsam, torch, …) are loaded with the first name that needs them.
    """

    def __getattr__(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{names[name]}"), name)

    def __dir__() -> list[str]:
        return sorted(names)

    return __getattr__, __dir__, sorted(names)
