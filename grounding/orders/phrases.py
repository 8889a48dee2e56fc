"""Phrases of an utterance → things of an instruction: heads, colors, conditions, exceptions.

Nothing of a phrase is dropped: what no map can hold is a trait that must not be needed, or a question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from commonground.grounding import meaning as m
from commonground.grounding.english import utterance as u
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.utterance import Phrase
from commonground.grounding.orders.symbols import symbol_of
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.wording import describe
from commonground.grounding.words.nouns import is_plural
from commonground.grounding.words.numbers import count_of, meters_of, rank_of

WHERE: dict[str, tuple[m.How, bool]] = {
    "in": ("in", False), "not in": ("in", True), "near": ("near", False), "within": ("within", False),
    "beyond": ("beyond", False), "between": ("between", False), "left of": ("left", False),
    "right of": ("right", False), "in front of": ("front", False), "behind": ("behind", False),
    "north of": ("north", False), "south of": ("south", False), "east of": ("east", False),
    "west of": ("west", False), "in the same area as": ("same_region", False),
    "on": ("on", False),
    "under": ("under", False), "above": ("above", False), "holds": ("contains", False),
    "holds no": ("contains", True),
}  # fmt: skip
"""What a map can tell of where things are, and whether it is denied."""
SIDES: dict[str, m.How] = {"on the left": "left", "on the right": "right"}
"""Of the robot that is addressed."""
BEST: dict[str, m.How] = {
    "nearest": "nearest", "farthest": "farthest", "northernmost": "north", "southernmost": "south",
    "westernmost": "west", "easternmost": "east", "leftmost": "leftmost", "rightmost": "rightmost",
    "largest": "largest", "smallest": "smallest", "tallest": "tallest",
}  # fmt: skip
BACK: dict[str, m.Antecedent] = {
    "it": "it", "that": "it", "this": "it", "them": "them", "they": "them", "these": "them", "those": "them",
    "there": "there", "over there": "there", "former": "former", "latter": "latter",
}  # fmt: skip
"""Nouns that only refer back, where the reader did not say to what."""
YOU = frozenset(["you", "u", "yourself", "itself", "himself", "herself", "robot"])
UNMAPPED: dict[str, str] = {
    "person": "The map does not tell where people are ('{}').",
    "speaker": "I do not know where you are.",
    "everybody": "I do not know where everybody is.",
    "owner": "The map does not tell what belongs to whom.",
    "level": "The map does not tell shelves apart ('{}').",
    "from_above": "The map does not tell shelves apart.",
}
"""What phrases may say that no map holds."""


Part: TypeAlias = Literal["what", "to"]
"""Of a deed that carries something."""


class Phrases:
    """The phrases of one utterance, in the order in which they are spoken."""

    def __init__(self, utterance: u.Utterance, text: str = "") -> None:
        self.text = text
        self._noun = ""
        self._carried: dict[Part, str] = {}
        self._symbols: m.Kind = "thing"
        starts = dict.fromkeys(s.start for p in parts_of(utterance, u.Phrase) for s in p.again)
        self._marks = {start: number for number, start in enumerate(starts, 1)}

    def reference(self, reference: u.Reference) -> m.Reference:
        """Return what a phrase or a group of phrases refers to."""
        return self._inner(reference, self._noun)

    def carried(self, reference: u.Reference, part: Part) -> m.Reference:
        """Return what is carried, or where to: of several such deeds ``the blue one`` is the same part.

        ``Put the red crate in the barn and the blue one in the yard``: a crate, though a barn was named last.
        """
        found = self._inner(reference, self._carried.get(part, self._noun))
        self._carried[part] = self._noun
        return found

    def introduced(self, phrase: u.Phrase) -> m.Reference:
        """Return what is spoken of first; ``any of the ropes`` leaves a choice to what takes it up."""
        found = self._thing(phrase, self._noun)
        if found.amount != "any" or found.count is None or not is_plural(found.noun):
            return found
        every = replace(found, amount="all", count=None, mark=None)
        return m.Thing(
            noun=found.noun, among=every, amount="any", count=found.count, mark=found.mark
        )

    def _inner(self, reference: u.Reference, lender: str) -> m.Reference:
        if isinstance(reference, u.Phrase):
            return self._thing(reference, lender)
        things: list[m.Reference] = []
        self._symbols = "thing"
        for phrase in reference.phrases:
            things.append(self._thing(phrase, lender))
            lender = self._noun
        self._symbols = "thing"
        if len(things) == 1:
            return things[0]
        return m.Several("all" if reference.join == "all of" else "any", tuple(things))

    def _thing(self, phrase: u.Phrase, lender: str) -> m.Thing:
        """Return one thing; ``lender`` is the noun of ``the one by the door``."""
        for name, question in UNMAPPED.items():
            value = getattr(phrase, name)
            if value:
                raise Unclear(question.format(value.text if isinstance(value, u.Span) else ""))
        if phrase.beside is not None:
            return self._thing(phrase.beside, lender)
        found = self._head(phrase, lender)
        noun = found.noun or lender
        found = replace(found, where=tuple(self._conditions(phrase, noun)))
        if phrase.color is not None:
            found = replace(found, color=plain(phrase.color))
        traits = (phrase.attribute, phrase.only)
        found = _with_traits(found, [plain(t) for t in traits if t is not None])
        if phrase.best is not None:
            found = self._best(found, phrase.best, noun)
        if phrase.but is not None:
            found = replace(found, but=(self._inner(phrase.but, noun),))
        self._noun = noun if phrase.name is None else m.ELIDED  # what is named so is only one
        return found

    # ---- heads ----------------------------------------------------------------------------------

    def _head(self, phrase: u.Phrase, lender: str) -> m.Thing:
        """Return the thing that the head of a phrase names, with its amount."""
        head = next((span for span in (phrase.symbol, phrase.name, phrase.noun) if span), None)
        mark = self._marks.get(head.start) if head is not None else None
        if phrase.symbol is not None:
            found = symbol_of(phrase.symbol.text, self._symbols)
            self._symbols = found.kind
            return replace(found, mark=mark)
        if phrase.again:
            return self._again(phrase)
        if phrase.everything:
            return m.Thing(kind="object", amount="all")
        if phrase == u.Phrase(det=phrase.det):
            raise Unclear("Which thing is meant?")
        noun = lender or m.ELIDED if head is None else plain(head)
        if noun in YOU:
            return m.Thing(kind="robot")
        if noun in BACK and not phrase.same_noun:
            return m.Thing(of=BACK[noun])
        amounts = amount_of(phrase, "" if phrase.name is not None else noun)
        return m.Thing(noun=noun, mark=mark, **amounts)

    def _again(self, phrase: u.Phrase) -> m.Thing:
        """Return what takes up again something spoken of before: by its mark, and by its noun."""
        first = plain(phrase.again[0])
        marks = tuple(self._marks[span.start] for span in phrase.again)
        noun = "" if re.search(r"\d", first) else first
        the_same = phrase.det == "the" and not (phrase.count or phrase.where or phrase.best)
        amounts = {} if the_same else amount_of(phrase, first)
        return m.Thing(noun=noun, again=marks, **amounts)

    # ---- conditions -----------------------------------------------------------------------------

    def _conditions(self, phrase: u.Phrase, noun: str) -> Iterator[m.Relation]:
        for relation in phrase.where:
            yield self._relation(relation, noun)
        for place in (phrase.located, phrase.room):
            if place is not None:
                yield m.Relation("in", (self._thing(place, noun),))

    def _relation(self, relation: u.Relation, noun: str) -> m.Relation:
        if relation.how == "belongs to":
            raise Unclear("The map does not tell what belongs to whom.")
        if relation.how in SIDES:
            return m.Relation(SIDES[relation.how], (m.Thing(kind="robot"),))
        to = tuple(self._inner(r, noun) for r in relation.to)
        if relation.how not in WHERE:
            raise Unclear(
                f"I cannot tell what is {relation.how} {' and '.join(map(describe, to))}."
            )
        how, negated = WHERE[relation.how]
        meters = None
        if how in ("within", "beyond") and relation.distance is None:
            raise Unclear(f"How far {how} {' and '.join(map(describe, to))} is meant?")
        if relation.distance is not None:
            meters = meters_of(relation.distance.text)
            if meters is None or how not in ("within", "beyond", "near"):
                raise Unclear(f"What does '{relation.distance.text}' measure?")
            how = "within" if how == "near" else how
        return m.Relation(how, to, meters, negated=negated)

    def _best(self, found: m.Thing, best: u.Best, noun: str) -> m.Thing:
        """Return a thing with its superlative; one that no map can judge must not be needed."""
        rank = None if best.rank is None else rank_of(best.rank.text)
        if best.rank is not None and rank is None:
            raise Unclear(f"Which one is the '{best.rank.text}'?")
        if best.how not in BEST:
            number = () if rank is None else (f"number {rank}",)
            words = () if best.words is None else (plain(best.words),)
            return _with_traits(found, [*words, *number])
        if best.words is not None:
            found = _with_traits(found, [plain(best.words)])
        to = () if best.to is None else (self._inner(best.to, noun),)
        order = m.Relation(BEST[best.how], to, rank=rank if rank != 1 else None)
        if found.count is not None and found.total is not None:  # two of the three, the nearest
            among = replace(found, amount="all", count=None)
            return m.Thing(among=among, amount="all", total=found.count, where=(order,))
        return replace(found, where=(*found.where, order))


def _with_traits(found: m.Thing, traits: list[str]) -> m.Thing:
    """Add what no map holds; a bare ordinal is a number in an order that nobody named."""
    ranks = [rank_of(trait) for trait in traits]
    words = [t if rank is None else f"number {rank}" for t, rank in zip(traits, ranks, strict=True)]
    return replace(found, trait=", ".join([*filter(None, [found.trait]), *words]))


def plain(span: u.Span) -> str:
    """Return the words of a span as a noun is written: lower case, no article, no quotes."""
    words = re.sub(r"[^\w\s'.&/-]", " ", span.text.replace("’", "'")).lower().split()
    while len(words) > 1 and words[0] in ("a", "an", "the"):
        words.pop(0)
    return re.sub(r"('s|'|\.)$", "", " ".join(words))


def spans_of(value: Any) -> list[u.Span]:
    """Return every span in a part of an utterance."""
    return list(parts_of(value, u.Span))


ANY = {"any": None, "any one": 1, "any two": 2}
"""Determiners that leave a choice, with their numbers."""
EVERY = {"all": None, "each": None, "both": 2, "the two": 2}


def amount_of(phrase: Phrase, noun: str) -> dict[str, Any]:
    """Return the amount, count and total of the things that a phrase with a noun means."""
    if phrase.total is not None and count_of(phrase.total.text) is None:
        raise Unclear(f"How many is '{phrase.total.text}'?")
    if phrase.count is not None:
        return _numbered(phrase)
    total = None if phrase.total is None else count_of(phrase.total.text)
    if phrase.det in ANY:
        single = 1 if not is_plural(noun) else None
        return {"amount": "any", "count": ANY.get(phrase.det) or single, "total": total}
    if phrase.det == "each":
        return {"amount": "all", "count": 1, "total": total}
    if phrase.det in EVERY:
        return {"amount": "all", "total": EVERY[phrase.det] or total}
    return {"amount": "all" if _is_many(phrase, noun) else "the", "total": total}


def _is_many(phrase: Phrase, noun: str) -> bool:
    return phrase.best is None and (phrase.total is not None or is_plural(noun))


def _numbered(phrase: Phrase) -> dict[str, Any]:
    """Return the amount where a number was said; ``some`` and ``a few`` are none."""
    words = "" if phrase.count is None else phrase.count.text
    n = count_of(words)
    total = None if phrase.total is None else count_of(phrase.total.text)
    if n is None:
        rank = rank_of(words)
        if rank is not None:
            return {"trait": f"number {rank}", "total": total}
        return {"amount": "any", "total": total}
    if total is not None and n > total:
        raise Unclear(f"How can {n} be of {total}?")
    if phrase.det in ANY or (total is not None and n < total):
        return {"amount": "any", "count": n, "total": total}
    return {"amount": "all", "total": n} if n > 1 else {"amount": "the"}
