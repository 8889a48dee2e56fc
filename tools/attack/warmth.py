"""A process that has loaded what commands load, and stays small and without threads, so that it can fork."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable

HEAVY = (
    "numba", "scipy.spatial", "scipy.sparse", "cv2", "gtsam", "spark_dsg", "rosbags.highlevel",
    "commonground.story.config", "commonground.mapping.pipeline", "commonground.mapping.fusion",
    "commonground.grounding.memory", "commonground.grounding.prolog", "commonground.live.missions",
    "commonground.datasets",
)  # fmt: skip


def warm_up() -> None:
    """Load what commands load, once instead of in every child; nothing of it starts a thread."""
    import commonground.cli.main as program

    program.build()
    for name in HEAVY:
        importlib.import_module(name)


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
