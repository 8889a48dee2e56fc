"""A process that has loaded what commands load, and stays small and without threads, so that it can fork."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable

PARTS = ("", ".datasets", ".localization", ".mapping", ".planning", ".grounding")
HEAVY = (
    "scipy.spatial", "scipy.sparse", "scipy.optimize", "cv2", "gtsam", "spark_dsg", "rosbags.highlevel",
    "networkx", "rapidfuzz", "rich.console", "rich.table", "PIL.Image",
)  # fmt: skip
"""Libraries that are loaded where they are first needed; none of them starts a thread by that."""


def warm_up() -> None:
    """Load what commands load, once instead of in every child, and what calls compiled functions."""
    import commonground.cli.main as program
    from commonground.grounding.memory.english.lexicon import load_lexicon

    program.build()
    for part in PARTS:
        package = importlib.import_module(f"commonground{part}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    for name in HEAVY:
        importlib.import_module(name)
    _call_compiled()
    load_lexicon().words()
    gc.freeze()  # a child that looks for garbage among all this would get a copy of it


def _call_compiled() -> None:
    """Call a compiled function: the first call of a process sets up the compiler, whatever it calls."""
    import numpy as np

    from commonground.geometry.kernels import invert

    invert(np.eye(4), np.empty((4, 4)))


def written_apart(write: Callable[[], None]) -> None:
    """Write honest files in a process of its own."""
    number = os.fork()
    if number == 0:
        code = 1
        try:
            write()
            code = 0
        finally:
            sys.stdout.flush()
            os._exit(code)
    if os.waitpid(number, 0)[1]:
        sys.exit("the honest files cannot be made")
