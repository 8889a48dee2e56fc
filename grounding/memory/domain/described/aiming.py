"""What the segments of a task may want, by themselves or of what was named before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.memory.domain.described.aims import Aims
from commonground.grounding.memory.domain.described.asking import Asking
from commonground.grounding.memory.domain.described.needing import needed
from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.described.segments import Role, Segment, segment
from commonground.grounding.memory.domain.described.wishes import (
    free_parts,
    is_order,
    is_topic,
    is_wanted_too,
    wished,
)
from commonground.grounding.memory.domain.finding import Found
from commonground.grounding.memory.domain.words import (
    ENDED,
    FILLING,
    Word,
    is_going_on,
    is_participle,
    states_of,
)
from commonground.grounding.memory.unclear import Unclear

_LIKING = frozenset(["like", "love", "want", "wants", "could", "going"])
"""What says that somebody would like something, and not that it has to be so."""
_RIGHTING = frozenset(["sort", "sorted", "fix", "fixed", "see", "deal", "seen", "handle", "remedy"])
_SEEING_TO = _RIGHTING | frozenset(["to", "out", "get", "have", "do", "with", "that", "this", "it"])
"""Orders that speak of what was told before them, and what else they say."""


class Aiming(Asking):
    """Takes in the segments of a task by all that actions can change."""

    background: Sequence[Part] = ()
    """What was only told before: how things are."""

    def aim(self, told: Sequence[Part], *, after: Sequence[Part], ends: bool) -> None:
        """Take in what one segment may want, whatever form it is asked in.

        ``after``: the next one; ``ends``: it ends a sentence.
        """
        wish = wished(told, self.telling.is_somebody)
        tells = wish is None and ends and not (self.framed or self.found)
        if after and (tells or _is_wish(told, after)):
            self.background = told
            self._speak_of(told)
            return
        found = self._found(wish or told, told, after)
        if found is not None:
            self.found.append(found)
            for fact in found.ended:
                self.changes.retract(fact)
            self.changes.assert_all(found.made)
            for phrase in (p for p in told if isinstance(p, Phrase)):
                self.referents.note(Role(phrase))

    def _found(
        self, asked: Sequence[Part], told: Sequence[Part], after: Sequence[Part]
    ) -> Found | None:
        """Return what a segment asks for, None where it asks for nothing; it is spoken of."""
        made = segment(asked, self.reader.sayings.is_deed)
        if self.reader.wording.is_remark(made) and not is_wanted_too(made) and not _sees_to(asked):
            return None
        try:
            found = self._seen_to(asked) or self._aimed([*free_parts(asked)])
        except Unclear:
            if not self._is_reason(told, made, after):
                raise
            found, self.background = None, told
        self._speak_of([*told])
        return found

    def _is_reason(self, told: Sequence[Part], made: Segment, after: Sequence[Part]) -> bool:
        """Return whether a segment only tells why what comes after it is wanted: ``she wants a break``."""
        if not after or not isinstance(told[0], Phrase) or told[0].pronoun:
            return False
        named = sum(isinstance(p, Phrase) and not _is_pronoun(p) for p in told)
        return named == 1 and not self.reader.wording.is_telling(made)

    def _seen_to(self, asked: Sequence[Part]) -> Found | None:
        """Return what is wanted where something told before is to be put right: ``sort it out``."""
        if not (_sees_to(asked) and self.background):
            return None
        return Aims(self.referents, self.reader.wording).righted(self.background)

    def _aimed(self, parts: list[Part]) -> Found | None:
        """Return what a segment asks for, by itself or of what was named before it."""
        before = self.lead
        self.lead = next((p for p in parts if isinstance(p, Phrase)), before)
        if is_topic(parts):
            return None
        aims = Aims(self.referents, self.reader.wording)
        first: Unclear | None = None
        for way in _ways(parts, aims.with_bearer(parts), before):
            try:
                return aims.asked(way, context=before if before in way else None)
            except Unclear as unclear:
                first = first or unclear
        raise first or Unclear("nothing in that was understood to be a change")


def _sees_to(parts: Sequence[Part]) -> bool:
    """Return whether an order only says that something is to be put right: ``get that done``."""
    words = {p.text for p in parts if isinstance(p, Word)}
    named = [p for p in parts if isinstance(p, Phrase)]
    idle = all(p.pronoun == "it" or {*p.words} <= ENDED for p in named)
    said = words | {w for p in named for w in p.words}
    return idle and words <= _SEEING_TO | FILLING and bool(said & (_RIGHTING | ENDED))


def _is_wish(told: Sequence[Part], after: Sequence[Part]) -> bool:
    """Return whether somebody would like what an order after it says more of: ``send him there``."""
    named = sum(isinstance(p, Phrase) and not p.pronoun for p in told)
    begins = isinstance(told[0], Phrase) and not told[0].pronoun
    spoken = sum(map(_is_pronoun, after))
    return begins and _likes(told) and is_order(after) and spoken >= named


def _likes(parts: Sequence[Part]) -> bool:
    """Return whether somebody would like something, and not that anything is done to a thing."""
    likes = not _LIKING.isdisjoint(map(text_of, parts))
    return likes and not any(_is_done(parts, n) for n in range(len(parts)))


def _is_done(parts: Sequence[Part], at: int) -> bool:
    """Return whether a word may say what is to be done to a thing, not what it does: ``wants pressing``."""
    text, before = text_of(parts[at]), text_of(parts[at - 1]) if at else ""
    stated = before not in ("to", "could") and bool(states_of(text))
    return text not in ("", "going") and (is_participle(text) or is_going_on(text) or stated)


def _is_pronoun(part: Part) -> bool:
    return isinstance(part, Phrase) and bool(part.pronoun)


def _ways(parts: list[Part], bearing: list[Part], before: Phrase | None) -> Iterator[list[Part]]:
    """Yield a segment as it is, with what bears what it tells, and with what was named before it."""
    named = any(isinstance(p, Phrase) for p in parts)
    if named or bearing:
        yield parts if named else bearing
    if len(parts) == 3 and parts[1] == Word("have") and len(parts[2].text.split()) == 1:
        yield [parts[0], Word("be"), *map(Word, parts[2].text.split())]  # "needs fuel"
    if needs := needed(parts):
        yield needs
    if before is not None:
        if isinstance(parts[0], Word):
            yield [before, *parts]
        if named:
            yield [*parts, before]
