"""An instruction in, a goal for each robot out, or a question back: the main path of grounding."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from commonground.errors import GroundingError
from commonground.grounding.answers import Grounding, answer, clarification
from commonground.grounding.english.reader import load_reader
from commonground.grounding.frontends.confidence import Judge
from commonground.grounding.frontends.hybrid import HybridBackend
from commonground.grounding.frontends.offline import OfflineBackend
from commonground.grounding.frontends.reading import ReadBackend
from commonground.grounding.meaning import Instruction
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.reading import BoundError, check_speech
from commonground.robots import Team
from commonground.scene import SceneGraph

if TYPE_CHECKING:
    from commonground.grounding.frontends.modeled import TypedBackend

logger = logging.getLogger(__name__)


class Backend(Protocol):
    """Grounds instructions on one scene for one team."""

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question."""
        ...


class Grounder:
    """Grounds instructions on a scene graph for a team, with the front end that the settings choose."""

    def __init__(
        self,
        graph: SceneGraph,
        team: Team,
        settings: GroundingSettings | None = None,
        answers: Sequence[str] = (),
    ) -> None:
        self.settings = settings if settings is not None else GroundingSettings()
        self.world = World(graph, team, answers)
        self.backend = _backend(self.world, self.settings)

    def ground(self, text: str) -> Grounding:
        """Return a goal for each robot, or a question back."""
        check_speech(text)
        try:
            found = self.backend.ground(text)
        except RecursionError as error:
            raise BoundError("the instruction is nested too deeply; say it in parts") from error
        logger.debug("%s: %s", found.status, found.message or found.goals)
        return found

    def answering(self, symbols: Sequence[str]) -> Grounder:
        """Return one that knows what the speaker chose among the candidates of its questions."""
        return Grounder(self.world.graph, self.world.team, self.settings, symbols)

    def ground_meaning(self, meaning: Instruction) -> Grounding:
        """Return the goals of a meaning that was made elsewhere."""
        try:
            return answer(GoalMaker(self.world, self.settings).goals(meaning), backend="meaning")
        except Unclear as unclear:
            return clarification(unclear, backend="meaning")


def _backend(world: World, settings: GroundingSettings) -> Backend:
    """Return the front end that the settings name; models are set up only where one is wanted."""
    if settings.backend == "offline":
        return _offline(world, settings)
    from commonground.grounding.frontends.modeled import DirectBackend, TypedBackend
    from commonground.grounding.model.client import ChatModel

    model = ChatModel(settings.model)
    if settings.backend == "openai-direct":
        return DirectBackend(world, model)
    typed = TypedBackend(world, settings, model)
    return typed if settings.backend == "openai" else _auto(world, settings, typed)


def _auto(world: World, settings: GroundingSettings, typed: TypedBackend) -> Backend:
    """Return the front end that reads offline first; without a network nobody can say how sure that is."""
    from commonground.grounding.frontends.auto import AutoBackend

    offline = _offline(world, settings)
    try:
        reader = load_reader(Path(settings.network) if settings.network else None)
    except GroundingError as error:
        logger.info("readings are not judged: %s", error)
        return AutoBackend(offline, typed)
    judge = Judge(ReadBackend(world, settings, reader))
    return AutoBackend(offline, typed, judge.how_sure, settings.ask_below)


def _offline(world: World, settings: GroundingSettings) -> Backend:
    """Return the front end without a server, with the readers of English that the settings name."""
    grammar = OfflineBackend(world, settings)
    if settings.reader == "grammar":
        return grammar
    try:
        reader = load_reader(Path(settings.network) if settings.network else None)
    except GroundingError as error:
        if settings.reader == "learned" or settings.network:
            raise
        logger.info("instructions are read by the grammar alone: %s", error)
        return grammar
    reading = ReadBackend(world, settings, reader)
    if settings.reader == "learned":
        return reading
    return HybridBackend(grammar, reading, Judge(reading).how_sure)
