"""States and places: ``turned off``, ``on the table``."""

from __future__ import annotations

from dataclasses import replace

from commonground.grounding.problem_writer.commands.chunks import Chunk
from commonground.grounding.problem_writer.commands.clause_nouns import NounRules
from commonground.grounding.problem_writer.commands.clause_words import (
    MENTION,
    WITH_STATE,
    WITH_TOOL,
)
from commonground.grounding.problem_writer.commands.mentions import STATE_OF
from commonground.grounding.problem_writer.contradiction import OPPOSITE


class StateRules(NounRules):
    """Reads states and prepositions."""

    def _state(self, chunk: Chunk) -> bool:
        sense = chunk.sense("state")
        if sense is None:
            return False
        following = self._following(skip_links=False)
        noun_next = following is not None and following.is_(*MENTION)
        if chunk.is_("preposition") and (noun_next or not self.now.objects):
            return False
        if chunk.is_("preposition") and following is not None and following.is_("preposition"):
            return True  # ``drop it off in the sink``
        if noun_next and not self.now.objects:
            return True
        if not self.now.objects:
            return chunk.is_("fillers")
        if self.now.frame in WITH_STATE or chunk.text == "off":
            self._other_state(sense.value)
            self._placed_states()
            self.now.states.append(sense.value)
            self.linked = False
            return True
        return chunk.is_("fillers") or chunk.is_("preposition") is False

    def _also_placed(self) -> None:
        """``has to be closed and lying on the bed``."""
        objects = list(self.now.objects)
        if self.passive and objects:
            self._finish()
            self.now.objects, self.now.frame, self.been = objects, "ensure", True

    def _other_state(self, state: str) -> None:
        """``switch on the stove, then the light off``: the last object is of a clause of its own."""
        if OPPOSITE.get(state) in self.now.states:  # ``turn the light off and then on again``
            objects = list(self.now.objects)
            self._finish()
            self.now.objects, self.now.frame = objects, "ensure"
            return
        if STATE_OF.get(self.now.frame) in (None, state) or len(self.now.objects) < 2:
            return
        last = self.now.objects.pop()
        self._finish()
        self.now.objects, self.now.frame = [last], "ensure"

    def _placed_states(self) -> None:
        """``the lamp on the desk is on``: a place before the state tells which."""
        if self.goes:
            return
        for _, place in [one for one in self.now.places if one[0] == "target"]:
            self.now.objects[-1] = replace(self.now.objects[-1], at=place)
        self.now.places = [one for one in self.now.places if one[0] != "target"]

    def _place(self, chunk: Chunk) -> bool:
        sense = chunk.sense("preposition")
        following = self._following(skip_links=False)
        if sense is None or (following is None and chunk.is_("there")):
            return False
        if following is None or not (
            following.is_(*MENTION) or following.number or following.is_("there")
        ):
            return True  # ``cut into pieces``
        self._unused_amount()
        if sense.value == "near":
            self._told_apart()
            return True
        self.role = "source" if self.described else sense.value
        if self.role == "where" and self.been:
            self._also_placed()
            self.role = "target"  # ``should be lying on the sofa``
        elif self.role == "where" or (self.describing and self.role in ("target", "source")):
            self.role = "at" if self.now.objects or self.now.places else "source"
        self.describing = False
        if chunk.text == "with" and self.now.frame in WITH_TOOL:
            self.role = "means"
        self.described = self.linked = False
        return True
