"""An instruction in, a goal for each robot out, or a question back: the main path of grounding."""

from __future__ import annotations

import logging
from typing import Protocol

from commonground.grounding.answers import Grounding, answer, clarification
from commonground.grounding.frontends.offline import OfflineBackend
from commonground.grounding.meaning import Instruction
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.robots import Team
from commonground.scene import SceneGraph

logger = logging.getLogger(__name__)


class Backend(Protocol):
    """Grounds instructions on one scene for one team."""

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question."""
        ...


class Grounder:
    """Grounds instructions on a scene graph for a team, with the front end that the settings choose."""

    def __init__(
        self, graph: SceneGraph, team: Team, settings: GroundingSettings | None = None
    ) -> None:
        self.settings = settings if settings is not None else GroundingSettings()
        self.world = World(graph, team)
        self.backend = _backend(self.world, self.settings)

    def ground(self, text: str) -> Grounding:
        """Return a goal for each robot, or a question back."""
        found = self.backend.ground(text)
        logger.debug("%s: %s", found.status, found.message or found.goals)
        return found

    def ground_meaning(self, meaning: Instruction) -> Grounding:
        """Return the goals of a meaning that was made elsewhere."""
        try:
            return answer(GoalMaker(self.world, self.settings).goals(meaning), backend="meaning")
        except Unclear as unclear:
            return clarification(unclear, backend="meaning")


def _backend(world: World, settings: GroundingSettings) -> Backend:
    """Return the front end that the settings name; models are set up only where one is wanted."""
    if settings.backend == "offline":
        return OfflineBackend(world, settings)
    from commonground.grounding.frontends.modeled import AutoBackend, DirectBackend, TypedBackend
    from commonground.grounding.model.client import ChatModel

    model = ChatModel(settings.model)
    if settings.backend == "openai-direct":
        return DirectBackend(world, model)
    typed = TypedBackend(world, settings, model)
    return (
        typed
        if settings.backend == "openai"
        else AutoBackend(OfflineBackend(world, settings), typed)
    )
