"""Things that a command speaks of, as phrases of an utterance: pronouns are told by what their verb needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.english.utterance import (
    Determiner,
    Group,
    Phrase,
    Reference,
    Relation,
    Span,
)
from commonground.grounding.problem_writer.commands.mentions import STATE_OF, Clause, Mention
from commonground.grounding.problem_writer.wishes.home import NEEDED, SWITCHES, Home
from commonground.grounding.resolver.choice import Unclear

_SEVERAL = ("both", "them", "both of them", "all of them", "these", "those", "they")
_ALONE = ("", "ensure", "brew", "take_up", "cook", "spare")
"""Verbs that need no object."""


class Phrases:
    """Remembers what was named, for pronouns."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._recent: list[list[Mention]] = []
        """Objects and places of the clauses so far, the latest last."""
        self._spots: list[list[Mention]] = []
        """Places alone."""
        self._named: list[list[Mention]] = []
        """Objects alone."""

    def remember(self, places: Sequence[Mention], objects: Sequence[Mention]) -> None:
        """Take the things of a clause for what ``it`` can mean from now on."""
        self._recent += [[place] for place in places]
        self._spots += [[place] for place in places]
        if objects:
            self._recent.append(list(objects))
            self._named.append(list(objects))

    # ---- pronouns ---------------------------------------------------------------------------------

    def objects(self, clause: Clause) -> list[Mention]:
        """Return the objects with pronouns replaced; a verb without one takes those named before."""
        state = clause.states[0] if clause.states else STATE_OF.get(clause.frame, "")
        found: list[Mention] = []
        for mention in clause.objects:
            if mention.back == "one":
                raise Unclear("Which one?")
            if mention.back in _SEVERAL and len(self._named) > 1 and len(self._named[-1]) == 1:
                found += [_again(m[-1]) for m in self._named[-2:]]
            else:
                found += self._meant(state, mention.back) if mention.back else [mention]
                found += mention.holding if mention.back else ()  # ``put it with the tomato``
        if not found and any("other" in chunk.text.split() for chunk in clause.chunks):
            raise Unclear(f"Which others are meant in '{clause.text}'?")
        if not found and clause.frame not in _ALONE and self._recent:
            return self._meant(state)
        return [m for each in found for m in self._companions(each)]

    def _meant(self, state: str, back: str = "") -> list[Mention]:
        """Return what ``it`` or ``them`` means: the latest things for which the verb makes sense."""
        needed = NEEDED.get(state, "pickupable")
        for mentions in reversed(self._recent):
            if back == "it" and len(mentions) > 1:
                continue  # ``put the egg and the tomato on a plate and heat it``
            if all(self.usually(m, needed) for m in mentions):
                return [_again(m) for m in mentions]
        if self._recent:
            return [_again(m) for m in self._recent[-1]]
        raise Unclear("What is 'it'?")

    def place(self, mention: Mention) -> Mention:
        """Return a place, ``there`` replaced."""
        if not mention.back:
            return mention
        pronoun = {"it", "them"} & set(mention.back.split())
        for mentions in reversed(self._recent if pronoun else [*self._recent, *self._spots]):
            holders = [m for m in mentions if self.usually(m, "receptacle")]
            if holders:
                return _again(holders[-1])
        raise Unclear("Where is 'there'?")

    def _companions(self, mention: Mention) -> list[Mention]:
        """``the plate with the bowl``: what cannot be inside is meant beside."""
        takes, type_of = self.home.kinds.takes, self.home.type_of
        holders = [type_of(word) for word in self.words(mention)]
        beside = [
            held
            for held in mention.holding
            if not self.usually(mention, "receptacle")
            or not any(takes(h, type_of(word)) for h in holders for word in self.words(held))
        ]
        kept = tuple(held for held in mention.holding if held not in beside)
        return [replace(mention, holding=kept), *beside] if beside else [mention]

    # ---- what a house has of them -----------------------------------------------------------------

    def words(self, mention: Mention) -> Sequence[str]:
        """Return the name or the types that a mention may mean."""
        noun = self.home.nouns.find(mention.said)
        return self.home.named(mention.said) or (noun.types if noun is not None else ())

    def usually(self, mention: Mention, affordance: str) -> bool:
        """Return whether things have an affordance, or would if they were there."""
        words = self.words(mention)
        switched = affordance == "toggleable" and any(word in SWITCHES for word in words)
        return switched or self.home.usually(words, affordance)

    def are_in(self, mention: Mention, place: Mention) -> bool:
        """Return whether any of some things is in a place now."""
        holders = self.home.things(self.words(place))
        return bool(self.home.inside(self.home.things(self.words(mention)), holders))

    # ---- phrases ----------------------------------------------------------------------------------

    def reference(self, mentions: Sequence[Mention], *, either: bool = False) -> Reference | None:
        """Return some things as one reference."""
        phrases = tuple(map(self.phrase, mentions))
        if len(phrases) < 2:
            return phrases[0] if phrases else None
        return Group("one of" if either else "all of", phrases)

    def phrase(self, mention: Mention) -> Phrase:
        """Return the phrase of a mention."""
        noun = _noun(mention)
        if mention.again:
            return Phrase(again=(noun,))
        but = self._but(mention.but)
        if mention.contents:
            place = self.phrase(replace(mention, contents=False, but=()))
            return Phrase(everything=True, located=place, but=but)
        likenesses = [Span(noun.start, noun.start, state.lower()) for state in mention.states]
        holding = tuple(Relation("holds", (self.phrase(held),)) for held in mention.holding)
        return Phrase(
            noun=noun,
            det=_determiner(mention),
            count=Span(noun.start, noun.start, str(mention.amount)) if mention.amount else None,
            attribute=next(iter(likenesses), None),
            only=next(iter(likenesses[1:]), None),
            where=(*holding, *((Relation("near"),) if mention.near else ())),
            located=self.phrase(mention.at) if mention.at is not None else None,
            but=but,
        )

    def _but(self, mentions: Sequence[Mention]) -> Phrase | None:
        if len(mentions) > 1:
            return Phrase(again=tuple(map(_noun, mentions)))
        for one in mentions:
            found = self.phrase(one)
            return replace(found, noun=None, same_noun=True) if one.back == "one" else found
        return None


def _noun(mention: Mention) -> Span:
    said = f"slice of {mention.said}" if mention.pieces else mention.said
    return Span(mention.begin, mention.begin + 1, said)


def _determiner(mention: Mention) -> Determiner:
    if mention.amount == 0:
        return "each" if mention.each else "all"
    return "any one" if mention.amount is None else "any"


def _again(mention: Mention) -> Mention:
    return Mention(mention.said, again=True, begin=mention.begin, pieces=mention.pieces)
