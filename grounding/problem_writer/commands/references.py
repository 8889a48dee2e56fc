"""What is meant: pronouns, things told apart by where they are, all but some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.problem_writer.commands.choices import Choices
from commonground.grounding.problem_writer.commands.mentions import STATE_OF, Clause, Mention
from commonground.grounding.problem_writer.inventory import NEEDED, SWITCHES
from commonground.grounding.resolver.choice import Unclear

_SEVERAL = ("both", "them", "both of them", "all of them", "these", "those", "they")
_ALONE = ("", "ensure", "brew", "take_up", "cook", "spare")
"""Verbs that need no object."""


class References:
    """Remembers what was named, and settles which things are meant."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.recent: list[list[Mention]] = []
        """Objects and places of the clauses so far, the latest last."""
        self.spots: list[list[Mention]] = []
        """Places alone."""
        self.named: list[list[Mention]] = []
        """Objects alone."""

    def remember(self, places: Sequence[Mention], objects: Sequence[Mention]) -> None:
        """Take the things of a clause for what ``it`` can mean from now on."""
        self.recent += [[place] for place in places]
        self.spots += [[place] for place in places]
        if objects:
            self.recent.append(list(objects))
            self.named.append(list(objects))

    # ---- pronouns ---------------------------------------------------------------------------------

    def objects(self, clause: Clause) -> list[Mention]:
        """Return the objects with pronouns replaced; a verb without one takes those named before."""
        state = clause.states[0] if clause.states else STATE_OF.get(clause.frame, "")
        found: list[Mention] = []
        for mention in clause.objects:
            if mention.back == "one":
                found.append(self._one(mention, found))
            elif mention.back in _SEVERAL and len(self.named) > 1 and len(self.named[-1]) == 1:
                found += [replace(m[-1], states=(), holding=()) for m in self.named[-2:]]
            else:
                found += self.meant(state, mention.back) if mention.back else [mention]
                found += mention.holding if mention.back else ()  # ``put it with the tomato``
        if not found and any("other" in chunk.text.split() for chunk in clause.chunks):
            raise Unclear(f"Which others are meant in '{clause.text}'?")
        if not found and clause.frame not in _ALONE and self.recent:
            return self.meant(state)
        return found

    def meant(self, state: str, back: str = "") -> list[Mention]:
        """Return what ``it`` or ``them`` means: the latest things for which the verb makes sense."""
        needed = NEEDED.get(state, "pickupable")
        for mentions in reversed(self.recent):
            if back == "it" and len(mentions) > 1:
                continue  # ``put the egg and the tomato on a plate and heat it``
            if all(self.usually(m, needed) for m in mentions):
                return [replace(m, states=(), holding=()) for m in mentions]
        if self.recent:
            return self.recent[-1]
        raise Unclear("What is 'it'?")

    def place(self, mention: Mention) -> Mention:
        """Return a place, ``there`` replaced."""
        if not mention.back:
            return mention
        pronoun = {"it", "them"} & set(mention.back.split())
        for mentions in reversed(self.recent if pronoun else [*self.recent, *self.spots]):
            holders = [m for m in mentions if self.usually(m, "receptacle")]
            if holders:
                return replace(holders[-1], states=(), holding=())
        raise Unclear("Where is 'there'?")

    def _one(self, mention: Mention, before: Sequence[Mention]) -> Mention:
        """``the one in the cabinet``: of the type named last."""
        last = before[-1] if before else self.recent[-1][-1] if self.recent else None
        if last is None:
            raise Unclear("Which one?")
        return replace(last, at=mention.at, amount=mention.amount, names=(), name="", but=())

    # ---- which ------------------------------------------------------------------------------------

    def settled(
        self, mention: Mention, sources: Sequence[Mention], told: Sequence[Mention]
    ) -> Mention:
        """Return a mention with the things it means, where it was said which ones.

        ``sources`` say where the things are taken from, ``told`` may say so too: ``the vase on the shelf``.
        """
        if mention.contents:
            return mention
        for place in (*((mention.at,) if mention.at else ()), *sources, *told):
            mention = self._those_in(mention, self.place(place), surely=place is mention.at)
        if mention.near and len(self.choices.things(mention)) > 1 and mention.amount is None:
            things = ", ".join(self.choices.things(mention))
            raise Unclear(f"I cannot tell things apart by what they are near: {things}. Which one?")
        return self._all_but(mention) if mention.but else mention

    def where(self, place: Mention) -> Mention:
        """Return a place; ``the shelf with the vase`` is the one that has it."""
        for held in place.holding:
            items = set(self.choices.things(held))
            having = [
                t for t in self.choices.things(place) if items & set(self.choices.graph.contents(t))
            ]
            if having:
                return replace(place, names=tuple(having), holding=())
        return place

    def _those_in(self, mention: Mention, place: Mention, *, surely: bool) -> Mention:
        """Keep the things that are in a place; all of them where none is known to be there."""
        things = self.choices.things(mention)
        holders = set(self.choices.things(place))
        inside = [t for t in things if holders & set(self.choices.home.around(t))]
        if not inside:
            if surely and len(things) > 1:
                words = " or ".join(self.choices.words(mention))
                raise Unclear(f"I know of no {words} there. Which one is meant?")
            return mention
        return (
            replace(mention, names=tuple(inside), at=None) if len(inside) < len(things) else mention
        )

    def _all_but(self, mention: Mention) -> Mention:
        """``all vases but the one on the shelf``."""
        left = dict.fromkeys(self.choices.things(mention))
        for other in mention.but:
            same = replace(mention, but=(), at=other.at, names=(), amount=None)
            meant = self.settled(same if other.back == "one" else other, (), ())
            out = self.choices.things(meant)
            if not out or not set(out) & set(left):
                raise Unclear(f"I know of no {' or '.join(self.choices.words(meant))} among these.")
            for name in out:
                left.pop(name, None)
        if not left:
            raise Unclear("Nothing is left of these.")
        return replace(mention, names=tuple(left), amount=0, but=())

    def usually(self, mention: Mention, affordance: str) -> bool:
        """Return whether things have an affordance, or would if they were there."""
        words = self.choices.words(mention)
        switched = affordance == "toggleable" and any(word in SWITCHES for word in words)
        return switched or self.choices.home.usually(words, affordance)
