"""Sentences of a text in segments that each tell one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    FILLING,
    Word,
    classes_of,
    is_going_on,
    is_verb,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.doers import Doers
from commonground.grounding.memory.readers.domain.described.named import NAME
from commonground.grounding.memory.readers.domain.described.phrase import (
    Part,
    Phrase,
    text_at,
    text_of,
)
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.plain import plain_parts, plain_words
from commonground.grounding.memory.readers.domain.described.quantified import (
    Quantifiers,
    without_counts,
    without_excepted,
)
from commonground.grounding.memory.readers.domain.described.segment import (
    PREPOSITIONS,
    IsVerb,
    is_main_verb,
    part_after,
)
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


_HARD = frozenset([";", ":", ".", "-", "–"])
_SOFT = frozenset([",", "and", "but", "then", "so", "while"])
_OF_SEVERAL, _OF_ONE = frozenset(["are", "have", "were"]), frozenset(["is", "was", "has"])
_SUBJECTS = frozenset(["he", "she", "it", "they"])
Kin = Callable[[Phrase, Phrase], bool]


def segments_of(parts: Sequence[Part], is_deed: IsVerb, kin: Kin) -> list[list[Part]]:
    """Return the parts of a sentence in segments; ``kin`` tells phrases that may stand in one list."""
    found: list[list[Part]] = [[]]
    for at, part in enumerate(parts):
        text = text_of(part)
        if _contrasts(parts, at, found[-1]):
            found.append([part])
        elif text in _SOFT and (
            _is_list(parts, at, found[-1], is_deed, kin)
            or _narrows(parts, at, found[-1], is_deed, kin)
        ):
            found[-1].append(Word("and"))
        elif text in _HARD | _SOFT:
            found.append([])
        else:
            found += [[]] if _goes_along(found[-1], text, is_deed) else []
            found[-1].append(part)
    return [segment for segment in found if segment]


def _contrasts(parts: Sequence[Part], at: int, segment: Sequence[Part]) -> bool:
    """Return whether a word leads to what alone is so instead of what is denied: ``not A but B``."""
    other, beyond = part_after(parts, at), part_after(parts, at + 1)
    alone = beyond is None or text_of(beyond) in _HARD | _SOFT
    named = isinstance(other, Phrase) and not other.pronoun and bool(other.things)
    return text_of(parts[at]) == "but" and Word("not") in segment and alone and named


def _is_list(
    parts: Sequence[Part], at: int, segment: Sequence[Part], is_deed: IsVerb, kin: Kin
) -> bool:
    """Return whether a joining word stands between two noun phrases of one list."""
    before, after = segment[-1:], parts[at + 1 : at + 2]
    named = [p for p in (*before, *after) if isinstance(p, Phrase)]
    if len(named) != 2 or named[1].pronoun in _SUBJECTS:
        return False
    beyond = part_after(parts, at + 1)
    joins = text_of(parts[at]) == "and"
    told = any(_tells(segment, n, is_deed) for n in range(len(segment)))
    if not _may_join(text_of(beyond), told=told, kin=kin(*named), joins=joins):
        return False
    return joins or not (told and beyond) or _is_listed(parts, at + 1, kin)


def _narrows(
    parts: Sequence[Part], at: int, segment: Sequence[Part], is_deed: IsVerb, kin: Kin
) -> bool:
    """Return whether a phrase alone behind a comma tells more closely where: ``to the rack, level 4``."""
    one, other = segment[-1] if segment else None, part_after(parts, at)
    beyond = part_after(parts, at + 1)
    alone = text_of(parts[at]) == "," and (beyond is None or text_of(beyond) in _HARD)
    if not (alone and isinstance(one, Phrase) and isinstance(other, Phrase)):
        return False
    told = any(_tells(segment, n, is_deed) for n in range(len(segment)))
    return told and other.pronoun not in _SUBJECTS and not kin(one, other)


def _may_join(beyond: str, *, told: bool, kin: bool, joins: bool) -> bool:
    """Return whether two phrases may be in one list by their kinds, and by the verb after them."""
    if told:  # "watching it, and the hall is empty"
        return kin and beyond not in _OF_ONE
    return kin or (joins and beyond in _OF_SEVERAL)


def _is_listed(parts: Sequence[Part], at: int, kin: Kin) -> bool:
    """Return whether a list that a phrase is in ends with ``and``: ``pen 1, pen 2 and pen 3``."""
    while at + 2 < len(parts) and text_of(parts[at + 1]) in (",", "and"):
        one, other = parts[at], parts[at + 2]
        if not (isinstance(one, Phrase) and isinstance(other, Phrase)) or other.pronoun:
            return False
        if not kin(one, other):
            return False
        if text_of(parts[at + 1]) == "and":
            return text_of(part_after(parts, at + 2)) not in AUXILIARIES  # "..., Ann and Bo are in"
        at += 2
    return False


def _goes_along(segment: Sequence[Part], text: str, is_deed: IsVerb) -> bool:
    """Return whether a participle begins what is done at the same time: ``in the hall holding the key``."""
    if len(segment) < 2 or not is_going_on(text) or not isinstance(segment[-1], Phrase):
        return False
    done = sum(isinstance(p, Phrase) for p in segment) > 1
    placing = "located" in classes_of(text, frozenset())
    return done and not placing and (is_deed(text) or is_verb(text))


def _tells(parts: Sequence[Part], at: int, is_deed: IsVerb) -> bool:
    """Return whether a word is one by which a segment tells something."""
    return text_of(parts[at]) in AUXILIARIES | PREPOSITIONS or is_main_verb(parts, at, is_deed)


class Sentences(Doers, Asking):
    """Splits the sentences of a text into segments."""

    def segments(self, sentence: Sequence[Word]) -> list[list[Part]]:
        """Return a sentence in segments of noun phrases and words; a task without when and what for."""
        parts = self.relatives.resolved(self._phrases(sentence))
        if self._calls(parts[:1]) and text_at(parts, 1) == "," and not self._calls(parts[2:3]):
            parts[1] = Word(";")  # whom a sentence calls is in no list
        if self.task and text_at(parts, len(parts) - 2) == "," and self._calls(parts[-1:]):
            named = len(parts) > 2 and isinstance(parts[-3], Phrase) and not parts[-3].pronoun
            parts = parts if named else [parts[-1], Word(";"), *parts[:-2]]  # "..., Ann?"
        parts = without_excepted(parts, self.referents)
        parts = self._unlabelled(parts)
        return segments_of(parts, self.reader.sayings.is_deed, self._kin)

    def _phrases(self, sentence: Sequence[Word]) -> list[Part]:
        """Return a sentence in noun phrases and words."""
        phrases, words = (
            Phrases(self.reader.denoting, self.changes),
            plain_words(sentence),
        )
        said = phrases.parts(without_counts(words))
        parts = plain_parts(said, self._kin)
        gone = [p for p in said if isinstance(p, Phrase) and p not in parts and len(p.things) == 1]
        self.changes.denied.update(t for p in gone for t in p.things)
        parts = Quantifiers(self.reader.denoting).resolved(parts)
        return [self._whose(parts, at) for at in range(len(parts))]

    def _whose(self, parts: Sequence[Part], at: int) -> Part:
        """Return a part, or what somebody has where only he is named: ``it goes on Ann's``."""
        part, before = parts[at], text_of(parts[at - 1]) if at else ""
        led = before in PREPOSITIONS and before != "of"
        if not (led and isinstance(part, Phrase) and part.owner and not part.pronoun):
            return part
        owners = self.referents.candidates(part, self.telling.is_somebody)
        own = [t for t in self.meant.kinds if any(self.referents.held(t, o) for o in owners)]
        whose = own and self._ends(parts[at + 1 : at + 2])
        return replace(part, things=dict.fromkeys(own, NAME), owner=False) if whose else part

    def _unlabelled(self, parts: list[Part]) -> list[Part]:
        """Return parts without the name of whose doings they list."""
        self.labelled = self._label(parts)
        if self.labelled:
            self.subject = parts[0] if isinstance(parts[0], Phrase) else None
            parts, self.agents = parts[2:], self.labelled
        return parts

    def _kin(self, one: Phrase, other: Phrase) -> bool:
        """Return whether two phrases may mean things of one type."""
        above = self.meant.roles.vocabulary.types.ancestors
        kinds = [{self.meant.kinds[t] for t in p.things} for p in (one, other)]
        lines = [{k for kind in of for k in (kind, *above(kind))} - {"object"} for of in kinds]
        return not (kinds[0] and kinds[1]) or bool(lines[0] & lines[1])
