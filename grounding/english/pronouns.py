"""Whom and how many the small words of a text mean, put into readings that leave that out or take it wrongly.

Which words are the speaker's own is a closed list, so the text itself is the better witness: ``his mug`` is
no mug of the speaker's, and where nobody says ``I`` or ``my`` nothing is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from commonground.grounding.english.parts import mapped
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Clause, Crew, Group, Phrase, Utterance
from commonground.grounding.words.nouns import word_set

Words: TypeAlias = tuple[str, ...]
SPEAKERS = word_set(
    "i me my mine myself we us our ours ourselves im ive i'm i've i'd i'll we're we've"
)
MY = frozenset(["my", "mine", "our", "ours", "own"])
THEIR = frozenset(["his", "her", "their", "hers", "theirs"])
SOMEBODY = frozenset(["he", "she", "him", "himself", "herself"])
"""Words for a person who was spoken of."""
TAKING = ("take", "hold")
"""Who takes something of his or her own is spoken of: ``opened the chest and took her mug``."""
DETERMINERS = frozenset(["the", "these", "those", "our", "my", "your", "its", "their"])
SIDES = frozenset(["on the left", "on the right", "left of", "right of"])
SIDE_WORDS = frozenset(["left", "right", "port", "starboard", "lefthand", "righthand"])
SPOKEN_OF = Phrase()
"""Whoever or whatever was spoken of."""


def settled(text: str, utterance: Utterance, *, goes_on: bool) -> Utterance:
    """Return an utterance whose owners and choices are those that the text names.

    Only where a conversation goes on may people have been spoken of before.
    """
    tokens = tokens_of(text)
    words = [token.text.casefold() for token in tokens]
    before = {token.start: tuple(words[max(at - 3, 0) : at]) for at, token in enumerate(tokens)}
    said = frozenset(words)
    chosen: Utterance = mapped(utterance, lambda v: _counted(_chosen(_called(v), before), before))
    chosen = mapped(chosen, lambda v: _placed(v, said))
    return _Settler(before, words)(chosen) if goes_on else chosen


def _chosen(value: Any, before: Mapping[int, Words]) -> Any:
    """Return ``one of the mugs`` as any one of them."""
    if not isinstance(value, Phrase) or value.det != "the" or value.count is not None:
        return value
    *said, article = before.get(_first(value), ()) or ("",)
    one_of = said == ["one", "of"] and article in ("the", "these", "those", *MY)
    return replace(value, det="any one") if one_of else value


def _called(value: Any) -> Any:
    """Return who is called twice as one: ``Spot, Spot, go ...``."""
    if not isinstance(value, Crew) or len(value.names) < 2:
        return value
    names = tuple({name.text.casefold(): name for name in reversed(value.names)}.values())[::-1]
    one = len(names) == 1 and value.choose in ("each", "either")
    return replace(value, names=names, choose="named" if one else value.choose)


def _counted(value: Any, before: Mapping[int, Words]) -> Any:
    """Return ``the westernmost of our three cans`` as one of three: a number behind ``of`` is that of all."""
    if not isinstance(value, Phrase) or value.count is None or value.total is not None:
        return value
    words = list(before.get(value.count.start, ()))
    if words and words[-1] in DETERMINERS:
        words.pop()
    if not words or words.pop() != "of":
        return value
    one = words[-1:] == ["one"] and value.best is None
    return replace(value, count=None, total=value.count, det="any one" if one else value.det)


def _placed(value: Any, said: frozenset[str]) -> Any:
    """Return what is on a side only if the text names one, and nothing that is nowhere and has no words."""
    if isinstance(value, Phrase) and SIDE_WORDS.isdisjoint(said):
        where = tuple(r for r in value.where if r.how not in SIDES)
        return value if where == value.where else replace(value, where=where)
    if isinstance(value, Group):
        phrases = tuple(p for p in value.phrases if p != Phrase(det=p.det, same_noun=True))
        return replace(value, phrases=phrases) if phrases else value
    return value


class _Settler:
    """Settles whom the pronouns of one text stand for."""

    def __init__(self, before: Mapping[int, Words], words: Sequence[str]) -> None:
        self.before = before
        self.speaks = not SPEAKERS.isdisjoint(words)
        self.goes_on = not SOMEBODY.isdisjoint(words)

    def __call__(self, utterance: Utterance) -> Utterance:
        settled: Utterance = mapped(utterance, self._settled)
        return settled

    def _settled(self, value: Any) -> Any:
        if isinstance(value, Phrase):
            return self._owned(value)
        return self._acted(value) if isinstance(value, Clause) else value

    def _owned(self, phrase: Phrase) -> Phrase:
        """Return a phrase with the owner that the word before it names."""
        first = _first(phrase)
        if first < 0 or not (phrase.owner is None or phrase.owner.speaker):
            return phrase
        word = (self.before.get(first, ()) or ("",))[-1]
        if word in THEIR:
            return replace(phrase, owner=SPOKEN_OF)
        if word in MY and self.speaks:
            return replace(phrase, owner=Phrase(speaker=True))
        return phrase if self.speaks else replace(phrase, owner=None)

    def _acted(self, clause: Clause) -> Clause:
        """Return a clause that the speaker has no part in, where nobody says ``I``; ``she`` was spoken of."""
        agent = clause.agent
        if agent is not None and agent.speaker and not self.speaks:
            agent = None
        theirs = isinstance(clause.theme, Phrase) and clause.theme.owner == SPOKEN_OF
        acts = self.goes_on or (theirs and clause.sense in TAKING)
        if agent is None and acts and clause.mood == "tell" and clause.sense != "nothing":
            agent = SPOKEN_OF
        return clause if agent is clause.agent else replace(clause, agent=agent)


def _first(phrase: Phrase) -> int:
    """Return where the words of a phrase begin that stand together with its noun; -1 if it has none."""
    own = (span for span in (phrase.color, phrase.attribute, phrase.noun) if span is not None)
    return min((span.start for span in own), default=-1)
