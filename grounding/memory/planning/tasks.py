"""Tasks: from words to a checked plan, with the part of the graph chosen in any of the ways."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.planning.assumptions import Assumption
from commonground.grounding.memory.planning.execution import carry_out
from commonground.grounding.memory.planning.planner import Planner, TaskPlan, TaskPlanner
from commonground.grounding.memory.retrieval.query import meant_in, mentions_in, query_of
from commonground.grounding.memory.retrieval.retriever import Way
from commonground.grounding.memory.retrieval.variants import DEFAULT, variant_named
from commonground.grounding.words.nouns import word_set
from commonground.planning.downward import shared_planner
from commonground.planning.pddl import Formula, symbols, to_pddl
from commonground.planning.pddl.logic import conjunction, conjuncts

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


_NEXT = r"(?:then|afterwards?|after (?:that|this))"
_BEFOREHAND = r"(?:before (?:that|this)|beforehand|first(?: of all)?)"
_ORDERS = [
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"(?P<later>.+?)(?:,? but {_BEFOREHAND}|[.,;] (?:and )?{_BEFOREHAND}),? (?P<first>.+)",
        rf"(?:first,? )?(?P<first>.+?)(?:[.,;]| and|, and)? {_NEXT},? (?P<later>.+)",
        r"(?:only )?(?:after|once) (?P<first>[^,]+), (?P<later>.+)",
        r"before (?P<later>[^,]+), (?P<first>.+)",
        r"(?P<later>.+?),? (?:but )?(?:only )?(?:after|once) (?P<first>.+)",
        r"(?P<first>.+?),? before (?P<later>.+)",
    )
]
_OTHERWISE = re.compile(
    r"\bin (?:this|that|(?:the )?reverse|(?:the )?opposite) order\b"
    r"|\b(?:starting|beginning|ending|finishing) with\b"
    r"|, (?:the |an? )?[\w' -]+ (?:first|last)\s*[.!]?$",
    re.IGNORECASE,
)
"""Orders of what is listed, which no part of the words tells by itself."""

_WHICH_FIRST = "what comes before what in “{}”? Tell it as: do the one thing, then do the other"
Read: TypeAlias = "Callable[[str], Formula | None]"


def in_turn(
    text: str, goal: Formula, read: Read, named: Callable[[str], Collection[str]]
) -> list[Formula]:
    """Return the goals that are to be reached one after the other, the whole goal last.

    Raises `Unclear` for an order that cannot be kept. ``before`` what names nothing known is a time.
    """
    said, parts = text.strip(" .!?"), list(dict.fromkeys(conjuncts(goal)))
    sides = _sides(said)
    if not (sides and all(map(named, sides))):
        if len(parts) > 1 and _OTHERWISE.search(said):
            raise Unclear(_WHICH_FIRST.format(said))
        return [goal]
    if any(symbols(goal).isdisjoint(named(side)) for side in sides):
        raise Unclear(_WHICH_FIRST.format(said))  # of one side nothing is left
    if len(parts) < 2:
        return [goal]
    early = _early(parts, *map(read, sides))
    if len(early) in (0, len(parts)):
        raise Unclear(_WHICH_FIRST.format(said))
    rest = [part for part in parts if part not in early]
    stages: list[Formula] = []
    for side, some in zip(sides, (early, rest), strict=True):
        stages += in_turn(side, conjunction(some), read, named)
    return _cumulated(stages)


def _sides(said: str) -> tuple[str, ...]:
    """Return what is to be done first, and what after that; nothing where no order is told."""
    found = next((f for f in (order.fullmatch(said) for order in _ORDERS) if f), None)
    return () if found is None else (found["first"], found["later"])


def _early(parts: list[Formula], first: Formula | None, later: Formula | None) -> list[Formula]:
    """Return the parts of a goal that the first words ask for, or all that the later ones do not."""
    mine, others = ({*conjuncts(one)} if one is not None else set() for one in (first, later))
    known = bool(mine) and mine < {*parts}
    return [part for part in parts if (part in mine if known else part not in others)]


def _cumulated(stages: list[Formula]) -> list[Formula]:
    """Return goals of which each keeps what those before it reached."""
    found: list[Formula] = []
    for stage in stages:
        before = conjuncts(found[-1]) if found else ()
        found.append(conjunction(list(dict.fromkeys((*before, *conjuncts(stage))))))
    return found


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
        try:
            stages = self._stages(text, wanted.goal, speaker)
        except Unclear as unclear:
            asked = replace(wanted, status="ask", goal=None, question=str(unclear))
            return Planned(asked, None, time.perf_counter() - begin)
        plan = self._plan(text, stages, now_ns)
        return Planned(wanted, plan, time.perf_counter() - begin)

    def _stages(self, text: str, goal: Formula, speaker: str | None) -> list[Formula]:
        """Return the goals that are to be reached one after the other, the whole goal last."""
        calling, names = self.memory.retriever.calling, self.memory.names
        return in_turn(
            text,
            goal,
            lambda part: self.memory.wanted(part, speaker).goal,
            lambda part: [
                thing
                for thing in meant_in(part, calling)
                if not (names.is_person(thing) or names.is_room(thing))
            ],
        )

    def _plan(self, text: str, stages: Sequence[Formula], now_ns: int | None) -> TaskPlan:
        """Return a plan by the robots that a task names, if there is one; it says so where there is none."""
        goal = stages[-1]
        parts, (doing, idle) = self._parts(text, goal), given_to(text, goal, self.memory)
        planner = TaskPlanner(self.memory.store, self.planner)
        plan = None
        if idle:
            most = planner.time_limit_s / 2
            alone = TaskPlanner(self.memory.store, self.planner, time_limit_s=most, idle=idle)
            plan = alone.plan_in_turn(stages, parts=parts, check=self.check, now_ns=now_ns)
        if plan is None or plan.status != "ok":
            plan = planner.plan_in_turn(stages, parts=parts, check=self.check, now_ns=now_ns)
        acting = {arg for step in plan.steps for arg in step.args}
        notes = [f"{self._named(idle & acting)} has to help"] if idle & acting else []
        notes += [f"{self._named(doing - acting)} takes no part"] if doing - acting else []
        return replace(plan, reason="; ".join(notes)) if plan.steps and notes else plan

    def _named(self, robots: Iterable[str]) -> str:
        return " and ".join(sorted(self.memory.names.things[robot].name for robot in robots))

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


_LONG_GOAL = 500
"""Characters of a goal that are shown."""
_STATUS = {"ok": "solved", "none": "no plan", "stopped": "stopped", "failed": "failed"}


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """What came of a task, in words."""

    status: str
    """``solved``, ``no plan``, ``ask``, or ``failed`` where a model or the planner gave no answer.

    ``stopped`` where a limit was hit before a plan was found, which the reason names."""
    goal: str | None
    steps: tuple[str, ...]
    reason: str
    """Why there is no plan, or what to ask back; beside a plan, who had to help."""
    assumes: tuple[Assumption, ...]
    """What the plan takes for granted and should be looked at first: faded, contradicted or overtaken."""
    seconds: float

    @staticmethod
    def of(planned: Planned, vocabulary: Vocabulary) -> PlannedTask:
        """Return a plan, or the lack of one, in words and in atoms of the domain that was given."""
        wanted, plan = planned.wanted, planned.plan
        goal = None if wanted.goal is None else to_pddl(vocabulary.bearers.own(wanted.goal))
        if plan is None:
            status = "failed" if wanted.status == "failed" else "ask"
            return PlannedTask(status, goal, (), wanted.question, (), planned.seconds)
        return PlannedTask(
            _STATUS.get(plan.status, "ask"),
            goal,
            tuple(str(vocabulary.own_step(step)) for step in plan.steps),
            plan.reason,
            plan.assumes,
            planned.seconds,
        )

    def brief_goal(self) -> str:
        """Return the goal as people read it: of one of many parts the beginning."""
        goal = self.goal or ""
        left = goal.count("(", _LONG_GOAL)
        return (
            f"{goal[:_LONG_GOAL]}… and {left:,} atoms more" if len(goal) > 2 * _LONG_GOAL else goal
        )

    def lines(self) -> Iterator[str]:
        """Yield the steps as people read them: what is to be looked at stands before what needs it."""
        if self.steps and self.reason:
            yield f"  note: {self.reason}"
        for number, step in enumerate((*self.steps, "")):
            for assumed in self.assumes:
                if assumed.step == number:
                    yield f"  look first: {assumed}"
            if step:
                yield step

    def as_json(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "goal": self.goal,
            "plan": list(self.steps),
            "reason": self.reason,
            "assumes": [
                {"fact": a.fact, "why": a.why, "before_step": a.step + 1} for a in self.assumes
            ],
            "seconds": round(self.seconds, 3),
        }


def plan_task(
    memory: Memory,
    text: str,
    speaker: str | None = None,
    *,
    retrieval: str = DEFAULT.name,
    enter: bool = False,
) -> PlannedTask:
    """Plan a task on everything a memory believes; with ``enter``, its steps are entered as done."""
    chosen, planner = variant_named(retrieval), shared_planner()
    found = TaskAnswerer(memory, planner, chosen.way, chosen.verify).answer(text, speaker)
    if enter and found.plan is not None and found.plan.status == "ok":
        robot = next(iter(memory.names.robots), "robot")
        carry_out(TaskPlanner(memory.store, planner), found.plan, robot)
    return PlannedTask.of(found, memory.store.vocabulary)


_ASKED = word_set("let have ask get make tell want like need please hey ok okay so by and send")
"""What may stand before whoever is to do something."""
_DOES = word_set("shall should must can could will would may might to has needs ought")
"""What may follow him."""
_NOT = word_set("without not except")


def given_to(text: str, goal: Formula, memory: Memory) -> tuple[frozenset[str], frozenset[str]]:
    """Return the robots to which a task is given by name, and those that take no part for that reason.

    What the goal itself speaks of may take part.
    """
    robots = {*memory.names.robots}
    wanted, unwanted = _named(text, memory, robots)
    doing = wanted - symbols(goal)
    idle = unwanted | (robots - wanted if doing else set())
    return frozenset(doing), frozenset(idle - symbols(goal) if idle < robots else ())


def _named(text: str, memory: Memory, robots: set[str]) -> tuple[set[str], set[str]]:
    """Return the robots that are to do what a text asks for, and those that are not."""
    words = words_of(text)
    wanted: set[str] = set()
    unwanted: set[str] = set()
    for mention in mentions_in(text, memory.retriever.calling):
        named = robots & {*mention.things, *mention.people}
        before = words[mention.start - 1] if mention.start else ""
        after = words[mention.end] if mention.end < len(words) else ""
        if len(named) != 1 or after == "'s":
            continue
        if before in _NOT or _before(words, mention.start) == ("not", "by"):
            unwanted |= named
        elif not before or before in _ASKED or after in _DOES or not after:
            wanted |= named
    return wanted, unwanted


def _before(words: Sequence[str], at: int) -> tuple[str, ...]:
    return tuple(words[max(at - 2, 0) : at])
