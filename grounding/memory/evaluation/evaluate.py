"""How well a variant keeps a house's state and plans in it, measured on episodes with truth."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from pydantic import BaseModel

from commonground.grounding.knowledge.facts import BOOLEANS, FALSE, Fact, atom_of
from commonground.grounding.knowledge.files import read_lines, triple
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import Draft, FactIndex
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.evaluation.replay import Episode, checked, predicted
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.planning.execution import carry_out
from commonground.grounding.memory.planning.planner import Planner, TaskPlanner
from commonground.grounding.memory.planning.problem import make_task
from commonground.grounding.memory.planning.tasks import TaskAnswerer
from commonground.grounding.memory.readers.language_model.consulting import in_context
from commonground.grounding.memory.readers.language_model.prompt import PromptWriter
from commonground.grounding.memory.retrieval.retriever import offline
from commonground.grounding.memory.retrieval.variants import Variant, variant_named
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.model.client import ChatModel
from commonground.grounding.model.tokens import estimate_messages
from commonground.planning.pddl import (
    Formula,
    Step,
    Task,
    World,
    execute,
    parse_formula,
    parse_plan,
)


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


PUBLISHED = {
    "S": (None, 67.5), "R-": (71.5, 72.5), "Rv-": (71.0, 72.5), "R+": (77.5, 80.0),
    "Rv+": (92.5, 85.0), "Rs": (96.0, 87.5), "Rvs": (98.0, 90.0),
}  # fmt: skip
"""State and plan success of the paper's Table I, in percent."""
COLUMNS = (
    "variant", "state %", "cumul. %", "exact", "wrong %", "plans %", "open %", "looked %",
    "kept %", "tok", "max tok", "ms", "s/plan", "paper state", "paper plan",
)  # fmt: skip
"""cumul.: reports after which the whole state is right; exact: episodes that end so; open: tasks not true
already; kept: reports whose facts were all retrieved; tok, max tok: median and most tokens of a report;
ms: median of a report."""


class Missed(NamedTuple):
    """A report or task that was not got right."""

    episode: str
    outcome: str
    text: str
    wanted: str
    got: str


class Living(NamedTuple):
    """How a variant lived through episodes: its row of the table, and what it did not get right."""

    row: dict[str, Any]
    missed: tuple[Missed, ...]


class TrueReport(BaseModel):
    """What a report changes."""

    add: list[tuple[str, str, str | bool]]
    remove: list[tuple[str, str, str | bool]]


class TrueTask(BaseModel):
    """What a task asks for."""

    goal: str
    already_true: bool = False


_TRUE: dict[str, type[TrueReport] | type[TrueTask]] = {"update": TrueReport, "task": TrueTask}


@dataclass(slots=True)
class _Counts:
    """What is counted over all episodes."""

    reports: list[bool] = field(default_factory=list)
    cumulative: list[bool] = field(default_factory=list)
    ends: list[bool] = field(default_factory=list)
    wrong: list[bool] = field(default_factory=list)
    plans: list[bool] = field(default_factory=list)
    open_plans: list[bool] = field(default_factory=list)
    looked: list[bool] = field(default_factory=list)
    """Whether tasks are done by a robot that looks at what it doubts and plans again."""
    kept: list[bool] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    report_s: list[float] = field(default_factory=list)
    plan_s: list[float] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)


def evaluate(
    episodes: Sequence[Path],
    name: str,
    planner: Planner | None = None,
    settings: MemorySettings | None = None,
    model: ChatModel | None = None,
) -> Living:
    """Return how a variant lives through episodes."""
    chosen, counts = variant_named(name), _Counts()
    for path in episodes:
        _Trial(path, chosen, planner, settings or MemorySettings(), model, counts).run()
    state, plans = PUBLISHED.get(name, (None, None))
    row = {
        "variant": name,
        "state %": _percent(counts.reports) if chosen.updates else None,
        "cumul. %": _percent(counts.cumulative),
        "exact": f"{sum(counts.ends)}/{len(counts.ends)}",
        "wrong %": _percent(counts.wrong),
        "plans %": _percent(counts.plans),
        "open %": _percent(counts.open_plans),
        "looked %": _percent(counts.looked),
        "kept %": _percent(counts.kept),
        "tok": round(median(counts.tokens)) if counts.tokens else None,
        "max tok": max(counts.tokens, default=None),
        "ms": round(median(counts.report_s) * 1e3, 1) if counts.report_s else None,
        "s/plan": round(median(counts.plan_s), 3) if counts.plan_s else None,
        "paper state": state,
        "paper plan": plans,
    }
    row = {key: value for key, value in row.items() if value is not None}
    return Living(row, tuple(counts.missed))


def _percent(values: Sequence[bool]) -> float | None:
    return round(100 * sum(values) / len(values), 2) if values else None


class _Trial:
    """One episode lived through beside its truth."""

    def __init__(
        self, path: Path, chosen: Variant, planner: Planner | None, settings: MemorySettings,
        model: ChatModel | None, counts: _Counts,
    ) -> None:  # fmt: skip
        self.episode = Episode(path)
        self.chosen, self.planner, self.counts = chosen, planner, counts
        self.model = model
        self.settings = self.episode.settings(settings, chosen)
        lines = list(read_lines(path))[1:]
        self.truths = [
            checked(_TRUE[item.kind], value, f"{path}:{number}")
            for item, (number, value) in zip(self.episode.items, lines, strict=True)
        ]
        self._kinds = {key: thing.kind for key, thing in self.episode.world.things.items()}
        self.truth = FactIndex(self.episode.world.facts)
        self.groups = Groups.derive(self.episode.vocabulary, self.truth)
        self.believed = FactIndex(self.truth)

    def run(self) -> None:
        """Compare what is understood with what is true, item by item."""
        with self.episode.memory(settings=self.settings, model=self.model) as memory:
            tasks = None
            if self.planner is not None:
                tasks = TaskAnswerer(memory, self.planner, self.chosen.way, self.chosen.verify)
            prompts = PromptWriter(memory.store.vocabulary, memory.store.kinds)
            for index, (item, true) in enumerate(zip(self.episode.items, self.truths, strict=True)):
                heard = item.sensor is None and self.model is None
                if isinstance(true, TrueReport) and heard:
                    self._measure_prompt(memory, prompts, item.text, item.speaker, true)
                found = predicted(memory, self.episode, index, item, tasks, self.chosen)
                if isinstance(true, TrueReport):
                    self._judge_report(item.text, found, true)
                elif isinstance(true, TrueTask) and tasks is not None:
                    self._judge_plan(item.text, found, true)
                    self._judge_looking(memory, self.episode.at_ns(index, item), found, true)
        self.counts.ends.append(set(self.believed) == set(self.truth))

    def _measure_prompt(
        self, memory: Memory, prompts: PromptWriter, text: str, speaker: str | None,
        true: TrueReport,
    ) -> None:  # fmt: skip
        """Count the tokens a model would be sent, and whether what it needs is among them."""
        heard = in_context(memory, text, speaker)
        room = prompts.room_for_facts(heard, self.settings.max_tokens - 300)
        shown = offline(memory.retriever, self.chosen.way, text, memory.discourse, speaker, room)
        self.counts.tokens.append(estimate_messages(prompts.update(heard, shown)))
        changed = [*_facts(true.add), *_facts(true.remove)]
        needed = {end for f in changed for end in (f.subject, f.object)} - BOOLEANS
        if changed:
            self.counts.kept.append(shown.things is None or needed <= shown.things)

    def _judge_report(self, text: str, found: dict[str, Any], true: TrueReport) -> None:
        added, removed = _facts(found["add"]), _facts(found["remove"])
        before = set(self.truth)
        after = self._changed(self.truth, _facts(true.add), _facts(true.remove))
        got = self._changed(self.truth, added, removed)
        self.counts.reports.append(got == after)
        self.counts.wrong.append(got not in (after, before))
        if got != after:
            outcome = "wrong" if got != before else "asked" if found.get("question") else "silent"
            self._miss(outcome, text, _change(before, after), _change(before, got))
        self.believed = FactIndex(self._changed(self.believed, added, removed))
        self.truth = FactIndex(after)
        self.counts.cumulative.append(set(self.believed) == after)
        self.counts.report_s.append(found["seconds"])
        if self.model is not None:
            self.counts.tokens.append(found.get("tokens", 0))

    def _changed(self, facts: FactIndex, added: list[Fact], removed: list[Fact]) -> set[Fact]:
        """Return the facts after a change, with what it implies."""
        draft = Draft(facts)
        for fact in removed:
            if fact not in added:
                self.groups.remove(draft, fact)
        for fact in added:
            self.groups.add(draft, fact)
        return (set(facts) - set(draft.removed)) | set(draft.added)

    def _miss(self, outcome: str, text: str, wanted: str, got: str) -> None:
        self.counts.missed.append(Missed(self.episode.path.stem, outcome, text, wanted, got))

    def _judge_plan(self, text: str, found: dict[str, Any], true: TrueTask) -> None:
        task = self._task(true)
        steps = [self._borne_step(step) for step in parse_plan("\n".join(found["plan"] or ()))]
        right = found["plan"] is not None and execute(task, steps).valid
        self.counts.plans.append(right)
        if not right:
            outcome = "asked" if found["plan"] is None else "plan fails"
            self._miss(outcome, text, true.goal, str(found.get("goal") or ""))
        if not true.already_true:
            self.counts.open_plans.append(right)
        self.counts.plan_s.append(found["seconds"])

    def _judge_looking(
        self, memory: Memory, at_ns: int, found: dict[str, Any], true: TrueTask
    ) -> None:
        """Count whether the task is done in the true house by a robot that looks on the way."""
        task = self._task(true)
        wanted, robot = found["goal"], next(iter(memory.names.robots), "robot")
        self.counts.looked.append(
            wanted is not None
            and self.planner is not None
            and reached_by_looking(
                memory.store, self.planner, robot, self._goal(wanted), task, at_ns
            )
        )

    def _task(self, true: TrueTask) -> Task:
        domain, fixed = self.episode.vocabulary.domain, self.episode.world.fixed
        return make_task(domain, self._kinds, self.truth, self._goal(true.goal), fixed=fixed)

    def _goal(self, text: str) -> Formula:
        return self.episode.vocabulary.bearers.borne(parse_formula(text), self._kinds)

    def _borne_step(self, step: Step) -> Step:
        vocabulary = self.episode.vocabulary
        return vocabulary.bearers.borne_step(
            step, vocabulary.domain.action(step.action), self._kinds
        )


def _change(before: AbstractSet[Fact], after: AbstractSet[Fact]) -> str:
    """Return what one state has and the other lacks, in a line."""
    came, went = sorted(map(str, after - before)), sorted(map(str, before - after))
    return "; ".join([*(f"+ {fact}" for fact in came), *(f"- {fact}" for fact in went)])


def _facts(triples: Iterable[Any]) -> list[Fact]:
    return [triple(*entry) for entry in triples]
