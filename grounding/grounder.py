"""An instruction in, a goal for each robot out, or a question back: the main path of grounding."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from commonground.arguments import of_kind, words
from commonground.errors import GroundingError
from commonground.grounding.aliases import Aliases
from commonground.grounding.answers import Grounding, answer, clarification
from commonground.grounding.english.reader import load_reader
from commonground.grounding.frontends.reading import ReadBackend
from commonground.grounding.lookup.encoder import TextEncoder
from commonground.grounding.lookup.looks import Looks
from commonground.grounding.lookup.witness import Witness
from commonground.grounding.meaning import Instruction
from commonground.grounding.passes import Passes
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.reading import BoundError, check_speech
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.gone import gone_and_said, without_gone
from commonground.scene.strangers import strangers

if TYPE_CHECKING:
    from commonground.grounding.frontends.modeled import TypedBackend
    from commonground.grounding.frontends.second import SecondOpinion

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
        *,
        encoder: TextEncoder | None = None,
        witness: Witness | None = None,
    ) -> None:
        """With the encoder of the map's embeddings, what no class covers is known by its looks.

        A witness looks at the pictures of what is in doubt.
        """
        of_kind(graph, SceneGraph, "graph", GroundingError, "load_scene reads one from a file")
        of_kind(team, Team, "team", GroundingError, "load_team reads one from a file")
        answers = words(answers, "answers", GroundingError)
        self.settings = settings if settings is not None else GroundingSettings()
        self._map, graph = graph, without_gone(graph)
        looks = None if encoder is None else Looks(graph, encoder)
        self.world = self._named = World(graph, team, answers, looks, witness)
        offline = self.settings.backend == "offline"  # a model reads any name
        self.aliases = Aliases(team if offline else Team({}), self.world.nouns)
        if self.aliases.own:
            self.world = World(graph, self.aliases.team, answers, looks, witness)
        self.strangers = strangers(graph, (r for r in team if not r.adapter))
        """Robots outside all that the map can mean, and why; real ones tell themselves where they are."""
        self.passes = Passes(self.world)
        self.backend = _backend(self.world, self.settings)

    def ground(self, text: str) -> Grounding:
        """Return a goal for each robot, or a question back."""
        check_speech(text)
        if stranger := self.aliases.mentioned(text):
            robots = ", ".join(self._named.team.robots)
            return clarification(Unclear(f"There is no robot '{stranger}' here, only {robots}."))
        said = self.aliases.spoken(text)
        found = self._settled(self._ground(said), said)
        meant = found.meant and self._settled(found.meant, said)
        told = [found.message, *gone_and_said(text, self._map)]
        message = (" " if found.message.endswith((".", "?")) else "; ").join(filter(None, told))
        return replace(found, message=message, meant=meant if meant and meant.goals else None)

    def _settled(self, found: Grounding, said: str) -> Grounding:
        """Return an answer with all names as written, if the robots that have goals are on the map."""
        message = self.world.spelled.as_written(self.world.tagged.as_said(found.message, said))
        found = self.aliases.own_names(replace(found, message=message))
        lost = [told for robot, told in self.strangers.items() if robot in (found.goals or {})]
        if lost:  # distances of a robot in another frame mean nothing, and it takes part in no plan
            return clarification(Unclear("; ".join(lost), ruled_out=True), backend=found.backend)
        return found

    def _ground(self, text: str) -> Grounding:
        """Return the answer to a text after all that is done to its words."""
        try:
            said = self.passes.through(text)
            read = self.backend.ground(said.text)
            meant = read.meant and said.answered(read.meant)
            found = replace(said.answered(read), meant=meant if meant and meant.goals else None)
        except Unclear as unclear:
            return clarification(unclear, understood=False)
        except RecursionError as error:
            raise BoundError("the instruction is nested too deeply; say it in parts") from error
        logger.debug("%s: %s", found.status, found.message or found.goals)
        return found

    def answering(self, symbols: Sequence[str]) -> Grounder:
        """Return one that knows what the speaker chose among the candidates of its questions."""
        looks = self.world.looks
        encoder = None if looks is None else looks.encoder
        return Grounder(
            self._map, self._named.team, self.settings, symbols,
            encoder=encoder, witness=self.world.witness,
        )  # fmt: skip

    def ground_meaning(self, meaning: Instruction) -> Grounding:
        """Return the goals of a meaning that was made elsewhere."""
        try:
            return answer(GoalMaker(self._named, self.settings).goals(meaning), backend="meaning")
        except Unclear as unclear:
            return clarification(unclear, backend="meaning")


def _backend(world: World, settings: GroundingSettings) -> Backend:
    """Return the front end that the settings name; models are set up only where one is wanted."""
    if settings.backend == "offline":
        return _offline(world, settings)
    from commonground.grounding.frontends.modeled import TypedBackend
    from commonground.grounding.model.client import ChatModel

    model = ChatModel(settings.model)
    if settings.backend == "openai":
        return TypedBackend(world, settings, model, _second(world, settings))
    return _auto(world, settings, TypedBackend(world, settings, model))


def _second(world: World, settings: GroundingSettings) -> SecondOpinion | None:
    """Return what a model's answers are compared with."""
    from commonground.grounding.frontends.second import SecondOpinion

    if settings.doubt_above >= 1.0:
        return None
    return SecondOpinion(_offline(world, settings), settings.doubt_above)


def _auto(world: World, settings: GroundingSettings, typed: TypedBackend) -> Backend:
    """Return the front end that reads offline first."""
    from commonground.grounding.frontends.auto import AutoBackend

    return AutoBackend(_offline(world, settings), typed, settings.ask_below)


def _offline(world: World, settings: GroundingSettings) -> ReadBackend:
    """Return the front end that needs no server."""
    network = Path(settings.network) if settings.network else None
    return ReadBackend(world, settings, load_reader(network))
