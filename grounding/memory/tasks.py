"""Tasks: from words to a checked plan, with the part of the graph chosen in any of the ways."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.planning import Planner, TaskPlan, TaskPlanner
from commonground.grounding.memory.retrieval.query import query_of
from commonground.grounding.memory.retrieval.retriever import Way
from commonground.planning.pddl import Formula, symbols

_MOST_FACTS = 300
"""Facts of an entity list for a task, as published."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What a task was understood to ask for, and the plan for it."""

    wanted: Wanted
    plan: TaskPlan | None = None
    seconds: float = 0.0
    """With reading and retrieval."""


@dataclass(frozen=True, slots=True)
class TaskAnswerer:
    """Plans tasks said to a memory."""

    memory: Memory
    planner: Planner
    way: Way = "slice"
    check: bool = True
    """Take only plans that work on everything believed, and widen until there is one."""

    def answer(self, text: str, speaker: str | None = None, now_ns: int | None = None) -> Planned:
        """Return a plan for a task, a question back, or why there is no plan."""
        begin = time.perf_counter()
        wanted = self.memory.wanted(text, speaker)
        if wanted.goal is None:
            return Planned(wanted, None, time.perf_counter() - begin)
        planner = TaskPlanner(self.memory.store, self.planner)
        parts = self._parts(text, wanted.goal)
        plan = planner.plan(wanted.goal, parts=parts, check=self.check, now_ns=now_ns)
        return Planned(wanted, plan, time.perf_counter() - begin)

    def _parts(self, text: str, goal: Formula) -> Sequence[set[str] | None] | None:
        """Return the sets of objects to plan with; what is checked falls back on everything."""
        if self.way == "slice":
            return None
        if self.way == "none":
            return [None]
        named = symbols(goal) & self.memory.store.things.keys()
        retriever = self.memory.retriever
        if self.way == "entities":
            retriever.limit, usual = _MOST_FACTS, retriever.limit
            found = retriever.entities([*sorted(named), *self.memory.names.robots])
            retriever.limit = usual
        else:
            found = retriever.search(query_of(text, retriever.calling))
        chosen = set(found.things or ()) | named | {*self.memory.names.robots}
        return [chosen, None] if self.check else [chosen]
