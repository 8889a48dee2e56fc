"""What a text tells around its orders is set aside: ``my knee hurts. Anna, check the crane``.

Where a sentence orders something of a robot by its name, that settles what the order is, and sentences
that only tell something are left out before anybody reads the rest. What the order takes up of them is named
in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from commonground.grounding.english.indifference import remarks_of_choice
from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.put_right import Find
from commonground.grounding.language.taken_up import TakenUp
from commonground.grounding.language.tellings import Known
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.language.told import only_tells
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import word_set

_SENTENCE = re.compile(
    r"(?:\b(?:mrs?|ms|dr|st|prof|no)\.|[^.!?;\n]|\.(?=\d))+(?:[.!?;\n]+|$)\s*", re.IGNORECASE
)
_LEAD = re.compile(r"(?P<told>.*[,:–—]\s*)(?=[\w\s]*$)", re.DOTALL)
"""What stands before the last mark in front of a robot's name."""
_SO = re.compile(r"(?P<told>[^:;]*?,\s*)(?:and\s+)?so\s+(?=[a-z])", re.IGNORECASE)
"""What stands before the order that comes of it: ``my back hurts, so fetch the box``."""
_GOES_ON = re.compile(r"\s*,?\s*(?:is|was|if|that|whether)\b", re.IGNORECASE)
"""Behind a name in the middle of a sentence, these go on with what stands before it."""
_TAIL = re.compile(
    r"\s*(?:[,–—]|\s-)\s*(?P<told>(?:(?:and|but|so|as|since|because)\s+)?(?:I|we|my|our)\W[^,–—]*)$",
    re.IGNORECASE,
)
"""The last clause of a sentence, where people tell of themselves."""
_SETTING = word_set("when once after before until till while as if in at on by what all")
"""What begins with these belongs to the order behind it in one sentence."""
_ASKED = re.compile(
    r"\b(?:(?:could|would|can|will)\s+(?:you|(?:one|either|both|any)\s+of\s+you)|of you)\b", re.I
)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, or what stands before the one who is called in it."""

    text: str
    orders: bool
    leads: bool = False
    """Whether it stands before the one who is called in its sentence."""
    told: bool = False


class Stories:
    """Sets aside what texts to some robots in one world only tell."""

    def __init__(self, known: Known, find: Find, number_of: Callable[[str], int]) -> None:
        self.known, self.taken_up = known, TakenUp(known, find, number_of)
        self._called = re.compile(rf"(?<!\w){any_of(known.robots)}(?!\w)", re.IGNORECASE)

    def without(self, text: str) -> str:
        """Return a text without what it only tells."""
        if len(text) > MAX_CHARACTERS:
            return text  # that is not read at all
        pieces = self._weighed(text)
        told = [piece.text for piece in pieces if piece.told]
        rest: str | None = "".join(piece.text for piece in pieces if not piece.told).strip()
        if told:
            here = any(piece.leads for piece in pieces if piece.told)
            rest = self.taken_up.named(rest or "", told, here=here)
        return text if rest is None else self._without_tails(rest)

    def _weighed(self, text: str) -> list[_Piece]:
        """Return the pieces of a text; none is only told where nobody is called to do anything."""
        pieces = [piece for said in _SENTENCE.findall(text) for piece in self._parted(said)]
        if not any(piece.orders for piece in pieces):
            return [_Piece(text, orders=True)]
        weighed, after = [], False
        for piece in pieces:
            told = not piece.orders and self._is_told(piece.text, after=after)
            weighed.append(replace(piece, told=told))
            after = after or not told  # what follows may say more of it
        return weighed

    def _parted(self, sentence: str) -> list[_Piece]:
        """Return a sentence, parted before the robot that is called in it, or before what comes of it."""
        called = self._called.search(sentence)
        orders = bool(_deeds(sentence)) and bool(called or _ASKED.search(sentence))
        lead = _SO.match(sentence) if orders else None
        if called and not lead and not _GOES_ON.match(sentence, called.end()):
            lead = _LEAD.match(sentence[: called.start()])
        if lead is None:
            return [_Piece(sentence, orders)]
        told, rest = lead["told"], sentence[lead.end() :]
        if not self._is_lead(told) or not _deeds(rest):
            return [_Piece(sentence, orders)]
        return [_Piece(told, orders=False, leads=True), _Piece(rest, orders)]

    def _is_lead(self, told: str) -> bool:
        words = [token.text.casefold() for token in tokens_of(told)]
        return _SETTING.isdisjoint(words[:1]) and only_tells(told, self.known)

    def _is_told(self, piece: str, *, after: bool) -> bool:
        return only_tells(piece, self.known, after=after) and not remarks_of_choice(piece)

    def _without_tails(self, text: str) -> str:
        """Return a text without the clauses that its sentences end with and that only tell something."""
        return "".join(map(self._without_tail, _SENTENCE.findall(text))) or text

    def _without_tail(self, sentence: str) -> str:
        said = sentence.rstrip(" .!;\n")
        while tail := _TAIL.search(said):
            if not self._orders(said[: tail.start()]) or not self._is_told(
                tail["told"], after=True
            ):
                break
            said, sentence = said[: tail.start()], said[: tail.start()] + sentence[len(said) :]
        return sentence

    def _orders(self, text: str) -> bool:
        return bool(_deeds(text)) and self._called.search(text) is not None


def _deeds(text: str) -> list[str]:
    return [said.words for said in phrases_in(tokenize(text), DEEDS) if said.words not in BEING]
