"""Household tasks carried out in simulation: who writes, who plans, what is left out, what came of it."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.datasets.household.house import House
from commonground.datasets.household.moves import Move
from commonground.datasets.household.scoring import Score, score_plan
from commonground.datasets.household.tasks import HouseholdTask
from commonground.datasets.household.worlds import Floor
from commonground.errors import ConfigError, did_you_mean
from commonground.grounding.model.answer import Usage
from commonground.grounding.problem_writer.ablation import without_view
from commonground.grounding.problem_writer.goals import WishSource
from commonground.grounding.problem_writer.graph import ViewName
from commonground.grounding.problem_writer.keeping import HouseStore
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.offline import OfflineWriter
from commonground.grounding.problem_writer.purposes import Purposes
from commonground.grounding.problem_writer.stages import Writer
from commonground.grounding.repair.diagnosis import OfflineProposer
from commonground.grounding.repair.mission import HouseholdMission
from commonground.grounding.repair.report import Proposer, Report
from commonground.grounding.repair.settings import RepairSettings
from commonground.household.bridge import believed
from commonground.household.engine import carry_out
from commonground.household.surroundings import ShortestPlanner, SimulatedSurroundings
from commonground.names import within
from commonground.planning.downward import shared_planner
from commonground.planning.pddl import to_pddl

if TYPE_CHECKING:
    from commonground.grounding.model.client import ChatModel
    from commonground.grounding.repair.acting import Surroundings
    from commonground.grounding.repair.vision import ModelEyes

VIEWS: tuple[ViewName, ...] = ("relation", "property", "reach")
LEFT_OUT = (*VIEWS, "repair")
"""What ``--without`` can name."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A task that was carried out."""

    task: HouseholdTask
    report: Report
    moves: tuple[Move, ...]
    score: Score
    stood_in: tuple[str, ...] = ()
    """Questions that a language model gave no valid answer to, so that the offline writer stood in."""
    usage: Usage = field(default_factory=Usage)
    """What language models took for it."""
    cost: float = 0.0
    """What that cost, at the prices of the settings."""

    def as_json(self) -> dict[str, Any]:
        """Return the line of a plans file."""
        goal = self.report.goal
        stood_in = {"stood_in": list(self.stood_in)} if self.stood_in else {}
        spent = self.usage.as_json() if self.usage.requests or self.usage.cached else {}
        cost = {"cost": round(self.cost, 6)} if self.cost else {}
        return {
            **stood_in,
            **({"spent": {**spent, **cost}} if spent else {}),
            "id": self.task.name,
            "plan": [move.as_json() for move in self.moves],
            "status": self.report.status,
            "message": self.report.message,
            "goal": None if goal is None else " ".join(to_pddl(goal).split()),
            "supposed": self.report.supposed,
            "planning_s": round(self.report.planning_s, 3),
        }


class HouseholdTeam:
    """Carries out tasks; knowledge, words and the planner's worker are loaded once."""

    def __init__(
        self, settings: RepairSettings, without: Collection[str] = (), keep: Path | None = None
    ) -> None:
        for name in without:
            if name not in LEFT_OUT:
                hint = did_you_mean(name, LEFT_OUT) or f" Known: {', '.join(LEFT_OUT)}."
                raise ConfigError(f"--without {name}: there is no such part.{hint}")
        self.settings = settings
        self.keep = keep
        """Folder for what is believed in the course of each task, one file a task."""
        self.without = frozenset(without)
        self.kinds = Kinds.load(settings.kinds)
        reader = _reader(settings, self.kinds)
        offline = OfflineWriter(self.kinds, reader)
        wider = OfflineWriter(self.kinds, reader, wider=True)
        self.writers: Sequence[Writer] = (offline, wider)
        self.proposer: Proposer = OfflineProposer(self.kinds)
        self.models: list[ChatModel] = []
        """The language models that write and propose, and those that see."""
        if settings.backend == "openai":
            from commonground.grounding.model.client import ChatModel
            from commonground.grounding.problem_writer.modeled import ModelWriter
            from commonground.grounding.repair.modeled import ModelProposer

            model = ChatModel(settings.model)
            self.models = [model]
            self.writers = (ModelWriter(model, offline), offline, wider)
            self.proposer = ModelProposer(model, self.proposer)
        self.eyes: ModelEyes | None = None
        if settings.eyes == "openai":
            from commonground.grounding.model.client import ChatModel
            from commonground.grounding.repair.vision import ModelEyes

            model = ChatModel(settings.model)
            self.models.append(model)
            self.eyes = ModelEyes(model, self.kinds)
        self.downward = shared_planner()

    def __enter__(self) -> HouseholdTeam:
        self.downward.warm_up()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the planner to whoever plans next."""

    def carry_out(
        self,
        floor: Floor,
        task: HouseholdTask,
        *,
        partial: bool = False,
        failure_rate: float = 0.0,
        rng: np.random.Generator | None = None,
        states: bool = True,
    ) -> Ran:
        """Carry out a task in a fresh house; without ``states``, nobody has looked what is open or on."""
        house = House.of(floor, task, partial=partial, failure_rate=failure_rate, rng=rng)
        graph = believed(house, states=states)
        for view in VIEWS:
            if view in self.without:
                graph = without_view(graph, view, self.kinds)
        surroundings = SimulatedSurroundings(house)
        mission = HouseholdMission(
            graph,
            self._seen(surroundings),
            self.writers,
            ShortestPlanner(self.downward, self.settings.improve_s),
            self.proposer,
            self.kinds,
            self.settings,
            repairs="repair" not in self.without,
        )
        with contextlib.ExitStack() as open_files:
            if self.keep is not None:
                file = within(self.keep, f"{task.name}.db")
                mission.memory = open_files.enter_context(HouseStore.replacing(file, graph))
            before, used = len(self._notes()), self._usage()
            report = carry_out(mission, task.text, surroundings)
        moves = tuple(surroundings.moves)
        score = score_plan(floor, task, moves, partial=partial)
        failed = surroundings.failed
        score = replace(
            score,
            actions=score.actions + len(failed),
            failures=(*score.failures, *(f"{move} failed" for move, _ in failed)),
        )
        usage = self._usage() - used
        cost = usage.cost(self.settings.model)
        return Ran(task, report, moves, score, tuple(self._notes()[before:]), usage, cost)

    def _usage(self) -> Usage:
        """Return what language models took so far."""
        return sum((model.usage for model in self.models), Usage())

    def _notes(self) -> list[str]:
        """Return what language models gave no valid answer to so far."""
        asked = [*self.writers, self.proposer, self.eyes]
        return [note for one in asked for note in getattr(one, "notes", ())]

    def _seen(self, inner: SimulatedSurroundings) -> Surroundings:
        """Return surroundings that are looked at as the settings say."""
        if self.eyes is None:
            return inner
        from commonground.household.eyes import FolderCamera, SeenSurroundings, SimulatedCamera

        folder = self.settings.images
        camera = (
            SimulatedCamera(inner.house) if folder is None else FolderCamera(folder, inner.house)
        )
        return SeenSurroundings(inner, camera, self.eyes)


def _reader(settings: RepairSettings, kinds: Kinds) -> WishSource:
    """Return the reader of commands with the words and the network that the settings name."""
    from commonground.grounding.problem_writer.wishes.reading import WishReader

    return WishReader.load(kinds, Purposes.load(settings.purposes), settings.weights)
