"""A plan carried out in a world that is not as believed: what is looked at, and what comes of it."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from commonground.grounding.knowledge.facts import FALSE, Fact, atom_of
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.planning.execution import carry_out
from commonground.grounding.memory.planning.planner import Planner, TaskPlanner
from commonground.planning.pddl import Formula, Step, Task, World


class TrueWorld:
    """A world as it is, in which steps are tried and facts are looked at."""

    def __init__(self, task: Task) -> None:
        self.world = World(task)
        self.looks = 0

    def act(self, step: Step) -> str:
        """Do a step; return why it cannot be done, or an empty text."""
        action, binding = self.world.bind(step)
        condition = getattr(action, "precondition", None)
        if condition is not None and not self.world.holds(self.world.condition(condition, binding)):
            return "it cannot be done as things are"
        self.world.commit(self.world.changes(getattr(action, "effects", ()), binding))
        return ""

    def look(self, fact: Fact) -> bool:
        self.looks += 1
        atom = atom_of(fact.opposite if fact.object == FALSE else fact)
        return atom is not None and self.world.holds(atom) == (fact.object != FALSE)


def reached_by_looking(
    store: KnowledgeStore, planner: Planner, robot: str, goal: Formula, true: Task, now_ns: int
) -> bool:
    """Return whether a goal is reached in the true world by a robot that looks and plans again.

    It acts on a copy of the memory, which stays as it is.
    """
    world = TrueWorld(true)
    with tempfile.TemporaryDirectory(prefix="looked-") as folder:
        path = Path(folder) / "memory.db"
        with closing(sqlite3.connect(path)) as copy:
            store.connection.backup(copy)
        with KnowledgeStore.open(path, settings=store.settings) as own:
            tasks = TaskPlanner(own, planner)
            plan = tasks.plan(goal, now_ns=now_ns)
            if plan.status == "ok":
                carry_out(tasks, plan, robot, world.act, look=world.look)
    return world.world.holds(true.problem.goal)
