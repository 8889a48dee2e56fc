"""What a segment goes on about that leaves out who or what it tells of."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    FROM,
    Word,
    classes_of,
    is_going_on,
    is_participle,
)
from commonground.grounding.memory.readers.domain.described.doers import Doers
from commonground.grounding.memory.readers.domain.described.named import NAME
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.segment import Segment, segment
from commonground.grounding.memory.readers.domain.described.state_words import DOORS
from commonground.grounding.memory.readers.domain.described.text import is_plain


class GoingOn(Doers):
    """Completes segments by what the ones before them told."""

    def _completed(self, parts: Sequence[Part]) -> Segment:
        """Return a segment with the subject of the one before where it has none of its own."""
        is_deed = self.reader.sayings.is_deed
        made = segment(parts, is_deed)
        if not self.task and text_of(parts[0]) == "we" and made.words[1:2] == ["are"]:
            return made  # who speaks, and somebody or something else
        if self._is_in(made):
            inside: list[Part] = [Word("in"), Phrase(("in", "there"), pronoun="there")]
            return segment([*parts[:-1], *inside], is_deed)
        source = self._source() if _puts_in(made) else None
        if source is not None:
            return segment([*parts, source], is_deed)
        subject = self._thing_meant(made) or self._doer_meant(made)
        return made if subject is None else segment([subject, *parts], is_deed)

    def _is_in(self, made: Segment) -> bool:
        """Return whether a segment only says that something is in where the one before it tells."""
        inside = text_of(made.parts[-1]) in ("in", "inside") and made.words[:1] != ["back"]
        return inside and made.copula and len(made.roles) == 1 and bool(self.found or self.task)

    def _source(self) -> Phrase | None:
        """Return what something came out of by the segment before: another one goes into that."""
        roles = segment(self.told, self.reader.sayings.is_deed).roles if self.told else []
        return next((r.phrase for r in roles if r.preposition in FROM and r.phrase.things), None)

    def _thing_meant(self, made: Segment) -> Phrase | None:
        """Return what a segment goes on about that has no subject, and no verb or only a participle."""
        if not made.roles:
            return self._bearer_meant(made)
        if made.verbs:  # "lamp 5 hung on bar 2, plugged into 3"
            told = not (made.subjects() or self.agents)
            participle = is_participle(made.verb)
            goes_on = participle or not (self.task or is_plain(made.verb))
            order = self.task and made.verb in load_lexicon().lemmas(made.verb)
            return self.theme if told and goes_on and not order else None
        return self._placed_meant(made)

    def _placed_meant(self, made: Segment) -> Phrase | None:
        """Return what is where a segment without a verb of its own says."""
        if not self.task and _begins_with_is(made):  # "and is with Ann"
            return self.doer if self.agents else self.theme
        placed = all(r.preposition for r in made.roles)
        return self.theme if placed and not {*made.words} & AUXILIARIES else None

    def _bearer_meant(self, made: Segment) -> Phrase | None:
        """Return what a segment is about that only names a part of it, or what states are called by."""
        bearer = self.likely.bearer(made) if self.likely is not None else None
        return bearer or self._part_owner(made)

    def _part_owner(self, made: Segment) -> Phrase | None:
        """Return what has a part that a segment only names: ``and shut the lid``, ``..., lid closed``."""
        if self.task and self.found:
            last = self.found[-1]
            relations = [f.relation for f in (*last.made, *last.ended)]
            several = len({*relations}) < len(relations)  # "both cups in the hall, and not dirty"
            named = {} if several or self.subject is None else self.subject.things
            things = {*last.things(), *named}
            meant = dict.fromkeys(sorted(things & self.meant.kinds.keys()), NAME)
            return Phrase(("it",), meant, every=several)
        it = Phrase(("it",), pronoun="it") if self.found else None
        if not AUXILIARIES.isdisjoint(made.words):  # "she is in the pen and the gate is shut"
            return None if (DOORS | self.reader.sayings.nouns).isdisjoint(made.words) else it
        return self.subject or it

    def _doer_meant(self, made: Segment) -> Phrase | None:
        """Return who does what a segment without a subject tells: who did what the last one told."""
        along = self.task and is_going_on(made.verb)  # "to be in the hall holding the key"
        if not made.verbs or made.subjects():
            return None
        return self.doer if along or not (made.objects() and self.agents) else None


def _puts_in(made: Segment) -> bool:
    """Return whether a segment tells that something is put in, and not where: ``put a new one in``."""
    puts = any("place" in classes_of(v, frozenset()) for v in made.verbs)
    return puts and len(made.objects()) == 1 and text_of(made.parts[-1]) in ("in", "inside")


def _begins_with_is(made: Segment) -> bool:
    """Return whether a segment leaves out of what it tells how that is."""
    return not COPULAS.isdisjoint(made.words[:1]) and not made.subjects()
