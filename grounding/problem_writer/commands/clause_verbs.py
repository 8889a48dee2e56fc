"""Verbs, participles, links and denials: where clauses begin."""

from __future__ import annotations

from commonground.grounding.problem_writer.commands.chunks import Chunk
from commonground.grounding.problem_writer.commands.clause_states import StateRules
from commonground.grounding.problem_writer.commands.clause_words import (
    AS_NOUN,
    CONJUNCTIONS,
    DENIALS,
    INTACT,
    KEPT,
    LEFT,
    MENTION,
    TAKEN,
)
from commonground.grounding.problem_writer.commands.mentions import (
    PUTTING,
    THROWN,
)
from commonground.grounding.problem_writer.commands.vocabulary import Sense
from commonground.grounding.resolver.choice import Unclear


class VerbRules(StateRules):
    """Reads what begins or joins clauses."""

    def _denial(self, chunk: Chunk) -> bool:
        if chunk.is_("except") or (chunk.text == "but" and self._excepts()):
            self.role, self.linked = "except", False
            return True
        if chunk.is_("deny_be") and self.now.objects:
            self.now.frame = self.now.frame or "ensure"
            self.now.denied = self.been = True
            self.role, self.linked = "", False
            return True
        if chunk.is_("deny") and not chunk.is_("fillers"):
            self._deny(chunk)
            return True
        if chunk.text in DENIALS and not chunk.known:
            raise Unclear(
                f"I cannot take account of '{chunk.text}'. What should be true at the end?"
            )
        return False

    def _excepts(self) -> bool:
        """``all but the potato``."""
        following = self._following()
        every = bool(self.now.objects) and self.now.objects[-1].amount == 0
        return every and following is not None and following.is_(*AS_NOUN)

    def _deny(self, chunk: Chunk) -> None:
        """``do not move it``, ``but not the laptop``, ``not on the bed``."""
        following = self._following()
        noun = following is not None and following.is_(*AS_NOUN) and not following.is_("verb")
        place = following is not None and following.is_("preposition") and bool(self.now.objects)
        if not (noun or place) or chunk.text == "without":
            self.denying = chunk.text
            return
        if not (self.now.frame and self.now.objects):
            raise Unclear(
                f"I cannot take account of '{chunk.text}'. What should be true at the end?"
            )
        if noun and self.now.frame in PUTTING and not self.now.places and self._target_ahead():
            self.role = "left out"  # ``put the fork, but not the spoon, in the sink``
            return
        self.denying = chunk.text
        objects = [] if noun else list(self.now.objects)
        frame, word = self.now.frame, self.now.word
        places = list(self.now.places) if noun else []
        self._begin(frame, word)
        self.now.objects, self.now.places = objects, places

    def _mark(self, chunk: Chunk) -> bool:
        if chunk.is_("stop"):
            self._finish()
            self.linked = True
            self.links.append(".")
            return True
        if chunk.is_("comma", "links"):
            self.linked = True
            self.links += [] if chunk.is_("comma") else [chunk.text]
            self.anew = self.anew or chunk.text in CONJUNCTIONS
            return True
        if chunk.is_("either"):
            self.now.either = True
            self.linked = True
            return True
        return False

    def _verb(self, chunk: Chunk) -> bool:
        sense = chunk.sense("verb")
        if sense is None or not self._may_begin(chunk):
            return False
        if self.been and not self.linked and self.now.objects and chunk.text.endswith("ing"):
            return False
        if self._split_particle(chunk):
            return True
        if self._needs_doing(chunk):
            self.been = True
            return True
        if self.now.frame == "give" and self.now.objects and not self.linked:
            self.now.frame, self.now.word = sense.value, chunk.text  # ``give the mug a wash``
            return True
        self._begin(sense.value, chunk.text)
        return True

    def _needs_doing(self, chunk: Chunk) -> bool:
        """``the apple needs slicing``."""
        gerund = self._following()
        return (
            chunk.text in ("wants", "needs", "requires", "deserves", "want", "need", "require")
            and bool(self.now.objects)
            and not self.now.frame
            and gerund is not None
            and gerund.is_("verb")
            and gerund.text.split()[0].endswith("ing")
        )

    def _may_begin(self, chunk: Chunk) -> bool:
        """Return whether a word that can be a verb is one here."""
        following = self._following()
        if chunk.is_("thing", "state", "fillers", "be", "preposition"):
            starts = self.linked and following is not None and following.is_(*MENTION)
            return starts and not (chunk.is_("state") and self._state_fits())
        return not (self.now.frame == "ensure" and self.now.objects and chunk.is_("past"))

    def _state_fits(self) -> bool:
        """``the fridge is open``, ``the light on``: a state of what was just named."""
        return bool(self.now.objects) and not self.linked

    def _participle(self, chunk: Chunk) -> bool:
        """``should be sliced``, ``have the fork washed and put in the bowl``; or ``the chopped tomato``."""
        sense = self._done_to(chunk)
        if sense is None:
            return False
        objects = self.now.objects or (self.done[-1].objects if self.linked and self.done else [])
        if self._before_noun(chunk, sense.value):
            return True
        if chunk.is_("state") and self.now.word.split()[:1] and self.now.word.split()[0] in KEPT:
            return False
        if not objects:
            return False
        state = chunk.sense("state")
        if self.goes and self.now.places and state is not None and not self.linked:
            self.now.states.append(state.value)  # ``go into the fridge sliced``
            return True
        active = self.now.frame not in ("", "ensure", "take_up") and not self.passive
        if active and self.now.objects and not self.linked:
            self.described = True  # ``slice the tomato kept in the fridge``
            return True
        waiting = self.now.frame in ("", "ensure", "take_up") and not self.now.states
        either = self.now.either
        if waiting and self.now.objects:
            self.now.frame, self.now.word = sense.value, chunk.text
        else:
            self._begin(sense.value, chunk.text)
            self.now.objects, self.now.either = list(objects), either
        self.role, self.linked, self.passive = "", False, True
        return True

    def _done_to(self, chunk: Chunk) -> Sense | None:
        """Return what is done to things: by a participle, or a gerund in ``needs slicing``."""
        if self.been and chunk.text.split()[0].endswith("ing"):
            return chunk.sense("past") or chunk.sense("verb")
        return chunk.sense("past")

    def _before_noun(self, chunk: Chunk, frame: str) -> bool:
        """``the chopped tomato``, ``once you have opened the microwave``."""
        following = self._following(skip_links=False)
        if following is None or not following.is_("thing", "group", "name", "pieces"):
            return False
        before = self.chunks[self.at - 1].text if self.at else ""
        if before in ("have", "has", "had", "having"):
            self._begin(frame, chunk.text)
            return True
        state = chunk.sense("state")
        if state is not None and state.value in ("SLICED", "TOASTED", "COOKED", "BROKEN"):
            self.states.append(state.value)
        return True

    def _split_particle(self, chunk: Chunk) -> bool:
        """``must be switched on and put on the bed``: the particle belongs to the place."""
        verb, _, _ = chunk.text.partition(" ")
        following = self._following()
        if chunk.text not in ("put on", "put in", "set on") or not (
            following is not None and following.is_("thing", "group", "name") and self.passive
        ):
            return False
        self._begin("put", verb)
        self.now.objects = list(self.done[-1].objects) if self.done else []
        self.role, self.linked, self.passive = "target", False, True
        return True

    def _small(self, chunk: Chunk) -> bool:
        frame = self._frame_with(chunk) if self.now.objects else None
        if frame is not None:
            self.now.frame = frame
            return True
        if chunk.text == "out" and self.been and self.now.objects:
            self.now.states.append("OFF")  # ``the light should be out``
            return True
        if chunk.is_("be"):
            self.goes = "go" in chunk.text or "belong" in chunk.text
            self.role, self.linked = "", False
            if not self.now.frame and self.now.objects:
                self.now.frame = "ensure"
            self.been = True
            return True
        return chunk.is_("fillers", "back", "there", "some", "all", "both", "one_of")

    def _frame_with(self, chunk: Chunk) -> str | None:
        """Return what a word behind its object makes of the verb."""
        verb = next(iter(self.now.word.split()), "")
        if chunk.text == "out" and verb in TAKEN:
            return "remove"  # ``take the egg out``
        if chunk.text in ("out", "away") and verb in THROWN:
            return "trash"  # ``throw the newspaper out``
        if chunk.text in INTACT and verb in LEFT:
            return "intact"  # ``leave the tomato whole``
        if chunk.is_("as_is") and self.now.frame in PUTTING:
            return "spare"  # ``leave the tomato where it is``
        return None
