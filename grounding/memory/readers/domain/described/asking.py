"""What of a task asks for something, and what only names or tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.words import FILLING, Word, says_nothing
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.text import Text
from commonground.grounding.memory.readers.domain.described.wishes import about, is_topic, wished


class Asking(Text):
    """Finds what the segments of a task ask for."""

    def _asked_for(self, segments: Sequence[list[Part]]) -> Iterator[list[Part]]:
        """Yield what segments of a task ask for; what only names or tells something is spoken of."""
        topic: list[Part] = []
        named: list[Part] = []
        framed = self.framed
        for at, parts in enumerate(segments):
            framed |= text_of(parts[0]) == "please"
            said = self._with_lead(parts, framed=framed)
            named = (
                [] if isinstance(said[0], Phrase) else named
            )  # what is wanted of that, not of him
            asked = wished([*named, *said], self.telling.is_somebody)
            named = []
            if asked is None:
                self._check_instead(parts)
                self._speak_of(parts)
            elif asked and is_topic(asked) and at + 1 < len(segments):
                self._speak_of(asked)
                topic = [] if self._calls(asked) else asked
                named = asked if self._calls(asked) else []
            elif asked:
                yield about(asked, topic)

    def _with_lead(self, parts: list[Part], *, framed: bool) -> list[Part]:
        """Return a segment as what is asked for where all is; keep what a task began with."""
        if text_of(parts[0]) == "be" and self.lead is not None:  # "... and be in the hall"
            parts = [self.lead, *parts]
        elif framed:  # "see that it is shut and Ann is in"
            parts = [Word("please"), *parts]
        self.lead = next((p for p in parts[:1] if isinstance(p, Phrase)), self.lead)
        return parts

    def _check_instead(self, parts: Sequence[Part]) -> None:
        """Raise Unclear for what is told after what is not wanted: it may tell what is, instead."""
        last = self.found[-1] if self.found else None
        denied = last is not None and bool(last.ended) and not last.made
        if denied and any(isinstance(p, Phrase) and not p.pronoun for p in parts):
            raise Unclear(f"what about '{' '.join(p.text for p in parts)}'?")

    def _speak_of(self, parts: Sequence[Part]) -> None:
        """Keep what a segment names: a pronoun may mean it, or one of several."""
        named = [p for p in parts if isinstance(p, Phrase) and not p.pronoun]
        before = map(text_of, takewhile(lambda p: isinstance(p, Word), parts))
        plain = all(text in FILLING or says_nothing(text) for text in before)
        found = [self.referents.candidates(p) for p in named] if plain else []
        self.referents.several = found[0] if found else []
        for thing in (one[0] for one in (*found[1:], *found[:1]) if len(one) == 1):
            known = self.meant.people if self.telling.is_somebody(thing) else self.meant.themes
            known.insert(0, thing)
