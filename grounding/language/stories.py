"""What a text tells around its orders is set aside: ``my knee hurts. Anna, check the crane``.

Where a sentence orders something of a robot by its name, that settles what the order is, and sentences that
only tell something are left out before anybody reads the rest. What the order takes up of them is named in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from commonground.grounding.english.indifference import remarks_of_choice
from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.mentions import Mention, refers_back
from commonground.grounding.language.put_right import Find
from commonground.grounding.language.told import Known, named_in, only_tells
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import Reference, Thing, things_in
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.closed import MODALS
from commonground.grounding.words.nouns import singular, word_set

_SENTENCE = re.compile(r"(?:\b(?:mrs?|ms|dr|st|prof|no)\.|[^.!?;\n]|\.(?=\d))+(?:[.!?;\n]+|$)\s*", re.IGNORECASE)
_LEAD = re.compile(r"(?P<told>.*[,:–—]\s*)(?=[\w\s]*$)", re.DOTALL)
_GOES_ON = re.compile(r"\s*,?\s*(?:is|was|if|that|whether)\b", re.IGNORECASE)
"""Behind a name in the middle of a sentence, these go on with what stands before it."""
_TAIL = re.compile(
    r"\s*(?P<mark>[,–—]|\s-)\s*(?:(?:and|but|so|as|since|because)\s+)?"
    r"(?=(?:I|we|my|our)\W)[^,–—]*$",
    re.IGNORECASE,
)
"""The last clause of a sentence, with a subject of its own."""
_LEADING = word_set("when once after before until till while as if in at on by what all")
_ASKED = re.compile(r"\b(?:(?:could|would|can|will)\s+(?:you|(?:one|either|both|any)\s+of\s+you)|of you)\b", re.I)
_BACK = re.compile(r"\b(?P<one>it)\b|\b(?P<many>them)\b|\b(?:there(?!['’]s)|ones?|those|these|this|former|latter|other|others|same|rest|both|each|either|mine|ours|hers|theirs|that(?=\s*[.,;!?]|\s+one)|the\s+(?:first|second|third|last)(?=\s*(?:[.,;!?]|$)|\s+and\b))\b", re.I)
"""What may stand for something that was named before."""
_THAT = re.compile(r"\b(?:that|this|these|those)(?P<what>(?:\s+\w+){1,3})", re.I)
_DETERMINED = re.compile(r"(?:an?|the|this|that|some|my|our|his|her|their)\s+", re.IGNORECASE)
_SYMBOL = re.compile(r"\b[A-Za-z]\d+\b")


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
        self.known, self.find, self.number_of = known, find, number_of
        self._called = re.compile(rf"(?<!\w){any_of(known.robots)}(?!\w)", re.IGNORECASE)

    def without(self, text: str) -> str:
        """Return a text without what it only tells."""
        if len(text) > MAX_CHARACTERS:
            return text
        pieces = self._weighed(text)
        told = [piece for piece in pieces if piece.told]
        rest = "".join(piece.text for piece in pieces if not piece.told).strip()
        if told:
            named = self._named(rest, told)
            if named is None:
                return text
            rest = named
        return self._without_tails(rest)

    def _weighed(self, text: str) -> list[_Piece]:
        """Return the pieces of a text; none is only told where nobody is called to do anything."""
        pieces = [piece for sentence in _SENTENCE.findall(text) for piece in self._parted(sentence)]
        if not any(piece.orders for piece in pieces):
            return [_Piece(text, orders=True)]
        weighed, after = [], False
        for piece in pieces:
            told = not piece.orders and self._is_told(piece.text, after=after)
            weighed.append(replace(piece, told=told))
            after = after or not told  # what follows may say more of it
        return weighed

    def _parted(self, sentence: str) -> list[_Piece]:
        """Return a sentence, parted before the robot that is called in it."""
        called = self._called.search(sentence)
        lead = _LEAD.match(sentence[: called.start()]) if called else None
        orders = bool(_deeds(sentence)) and bool(called or _ASKED.search(sentence))
        goes_on = called is None or _GOES_ON.match(sentence, called.end())
        if lead is None or goes_on or not self._is_lead(lead["told"]) or not _deeds(sentence[lead.end() :]):
            return [_Piece(sentence, orders)]
        return [_Piece(lead["told"], orders=False, leads=True), _Piece(sentence[lead.end() :], orders)]

    def _is_lead(self, told: str) -> bool:
        words = [token.text.casefold() for token in tokens_of(told)]
        return _LEADING.isdisjoint(words[:1]) and only_tells(told, self.known)

    def _is_told(self, piece: str, *, after: bool) -> bool:
        return only_tells(piece, self.known, after=after) and not remarks_of_choice(piece)

    def _without_tails(self, text: str) -> str:
        """Return a text without the clauses that its sentences end with and that only tell something."""
        sentences = []
        for sentence in _SENTENCE.findall(text):
            end = len(sentence.rstrip(" .!;\n"))
            while self._orders(sentence) and (tail := _TAIL.search(sentence[:end])):
                said = tail[0].strip(" ,–—-")
                if not self._is_told(said, after=True) or not self._orders(sentence[: tail.start()]):
                    break
                sentence = sentence[: tail.start()] + sentence[end:]
                end = tail.start()
            sentences.append(sentence)
        return "".join(sentences) or text

    def _orders(self, text: str) -> bool:
        return bool(_deeds(text)) and bool(self._called.search(text))

    def _named(self, order: str, pieces: Sequence[_Piece]) -> str | None:
        """Return what is ordered with the name of what it takes up; None where it hangs on what is told."""
        told = [piece.text for piece in pieces]
        symbols = {s.upper() for one in told for s in _SYMBOL.findall(one)}
        if not symbols <= {s.upper() for s in _SYMBOL.findall(order)}:
            return None
        before = [mention for one in told for mention in self._things(one)]
        ordered = self._things(order)
        if any(self._narrows(one.what, [m.what for _, m in ordered]) for _, one in before):
            return None
        named = (m.start for _, m in ordered if not refers_back(m.what))
        first = min(named, default=len(order))
        pointed = (word for that in _THAT.finditer(order) for word in that["what"].split())
        if any(self.number_of(singular(word)) > 1 for word in pointed):
            return None
        back = next((b for b in _BACK.finditer(order) if b.start() < first and _stands_for(order, b)), None)
        if back is None:
            return order
        if len(before) != 1 or pieces[-1].leads or not (back["one"] or back["many"]):
            told_of = before or any(named_in(tokens_of(one), self.known) for one in told)
            return None if told_of else order
        source, (start, end, what) = before[0]
        single = isinstance(what, Thing) and what.amount != "all" and what.count in (None, 1)
        if single != bool(back["one"]):
            return None
        name = _DETERMINED.sub("", source[start:end], count=1)
        return f"{order[: back.start()]}the {name}{order[back.end() :]}"

    def _things(self, text: str) -> list[tuple[str, Mention]]:
        """Return what a text names that the world has."""
        return [
            (text, one)
            for one in self.find(text)
            if text[one.start : one.end].casefold() not in MODALS  # Anna, can you check it
            and any(n and self.number_of(n) for n in map(_noun, things_in(one.what)))
        ]

    def _narrows(self, told: Reference, ordered: Sequence[Reference]) -> bool:
        """Return whether what is told of a thing may say which of its kind are meant."""
        same = [
            (one, other)
            for one in things_in(told)
            for what in ordered
            for other in things_in(what)
            if _noun(one) == _noun(other) != ""
        ]
        return any(self._may_narrow(one, other) for one, other in same)

    def _may_narrow(self, told: Thing, ordered: Thing) -> bool:
        if self.number_of(ordered.noun) == 1:
            return False
        if ordered.amount != "the" or ordered.count not in (None, 1):
            plain = told.amount == "all" and told.count is None
            says_which = ordered.color or ordered.where
            return not plain or bool((told.color or told.where) and not says_which)
        return not (ordered.color or ordered.where or ordered.among or ordered.ids)


def _noun(thing: Thing) -> str:
    """Return what a thing is called: ``one of the benches`` is a bench."""
    if thing.noun or thing.among is None:
        return thing.noun
    return next((_noun(one) for one in things_in(thing.among)), "")


def _stands_for(order: str, back: re.Match[str]) -> bool:
    """Return whether a word stands for a thing: not ``that'd be it``, ``there's a dear``, ``one of you``."""
    behind = order[back.end() :].split()[:2]
    return behind != ["of", "you"] and not order[back.end() :].startswith(("'", "’"))


def _deeds(text: str) -> list[str]:
    return [said.words for said in phrases_in(tokenize(text), DEEDS) if said.words not in BEING]
