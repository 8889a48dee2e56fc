"""Trees ticked by py_trees, from the Python file that is written for it."""

from __future__ import annotations

import runpy
import tempfile
from collections.abc import Callable
from pathlib import Path

from commonground.planning.behavior import Action, BehaviorTree, Condition, TickStatus
from commonground.planning.behavior.py_text import py_trees_text
from commonground.planning.behavior.ticking import Check, Execute

Ports = dict[str, str]


def py_trees_tick(
    tree: BehaviorTree,
    execute: Execute,
    halt: Callable[[Action], None],
    check: Check,
    now_s: Callable[[], float],
) -> Callable[[], TickStatus]:
    """Return what ticks a tree once by py_trees, with the hands that `ticking.Ticker` takes.

    Leaves are told apart by kind and ports, which is all that a written tree says when it halts one.
    """
    from py_trees.common import Status

    theirs = {s: Status[s.name] for s in TickStatus}
    ours = {value: key for key, value in theirs.items()}
    leaves = {(a.kind, a.ports): a for a in tree.actions()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "written_tree.py"
        path.write_text(py_trees_text(tree))
        written = runpy.run_path(str(path))

    def leaf(kind: str, ports: Ports) -> Action:
        return leaves[kind, tuple(ports.items())]

    root = written["create_root"](
        lambda kind, ports, name: theirs[execute(leaf(kind, ports))],
        lambda kind, ports: halt(leaf(kind, ports)),
        lambda kind, ports: check(Condition(kind, tuple(ports.items()))),
        now_s,
    )

    def tick() -> TickStatus:
        root.tick_once()
        return ours[root.status]

    return tick
