"""A command in pieces that ask for something each, without what is only said beside.

Readers take a short sentence more surely than a long one. Pronouns become what they mean, so that each piece
stands by itself; nothing is divided that holds together by ``if``, ``or`` or ``except``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts
from commonground.grounding.problem_writer.wishes.demands import Named, state_verbs
from commonground.grounding.problem_writer.wishes.home import NEEDED
from commonground.grounding.problem_writer.wishes.nouns import MEASURES
from commonground.grounding.problem_writer.wishes.stretches import (
    DOORS,
    INTO,
    THEM,
    Stretch,
    Stretches,
    bases,
    joined_stretches,
)
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of

_NOT_LEFT = re.compile(r"(?:then )?(?:do (?:n't|not)|never) leave (?P<any>any |either )?")
_INSIDE, _ON = frozenset(["in", "into", "inside"]), frozenset(["on", "onto", "upon"])
_ASIDE = frozenset(listed("for with to where"))
"""Before a pronoun these tell for whom something is done."""


class Piece(NamedTuple):
    """One piece of a command, and whether it waits for those before."""

    text: str
    waits: bool = False


class Pieces(Stretches):
    """Divides one command."""

    def __init__(self, text: str, accounts: Accounts) -> None:
        super().__init__(accounts)
        self.text = text
        self.told: list[Stretch] = []
        """What is only told, which pronouns may mean."""
        self.taken: list[Stretch] = []
        """What is only taken from somewhere, for what comes next."""
        self.aside: Stretch | None = None
        """What is only told in the middle of what asks: ``put the mug, it's wet, in the sink``."""

    def all(self) -> list[Piece]:
        """Return all pieces in their order; none where the command is one piece, or cannot be divided."""
        asking = self._asking()
        if self.aside is not None:
            return self._without(self.aside).all()
        pieces = [*self._worded(asking)]
        used = {kind for stretch in asking for one in stretch.named for kind in one.types}
        taken = [s.named[0] for s in self.taken if not self._is_left(s.named[0])]
        lost = any(used.isdisjoint(one.types) for one in taken)
        whole = len(pieces) == 1 and pieces[0].text.strip() == self.text.strip(" .!?")
        return [] if lost or whole or len(pieces) < len(asking) else pieces

    def _tells_on(self, stretch: Stretch) -> bool:
        """Return whether a stretch goes on telling: ``I've a cold and no tissues``, ``he left it and the mug dirty``."""
        first = self.words[stretch.start]
        lacks = first in ("no", "nothing", "none")
        same = all(self.accounts.telling.told[stretch.start : stretch.end]) and first not in bases()
        follows = bool(self.told) and self.told[-1].end == stretch.start - 1
        return (lacks or same) and not stretch.begins and follows

    def _is_headline(self, stretch: Stretch) -> bool:
        """Return whether a stretch only says what the rest is for: ``let's do the salad: wash the ...``."""
        rest = self.words[stretch.end :]
        end = next((n for n, word in enumerate(rest) if word in ".;!?"), len(rest))
        states = any(stretch.start <= at < stretch.end for at in self.asked)
        placed = not INTO.isdisjoint(self.words[stretch.start : stretch.end])
        return ":" in rest[:end] and stretch.begins and not (states or placed)

    def _beside(self, told: Stretch, held: Stretch | None) -> Stretch | None:
        """Return what is left of a stretch that asks for nothing by itself before one that only tells."""
        if held is None or told.begins or not told.named:
            return held
        if self.words[told.start - 1] in MARKS:
            self.aside = told
            return held
        if self.words[held.start] in bases():
            return held
        self.told.append(held)  # ``the milk and the eggs are off``
        return None

    def _without(self, aside: Stretch) -> Pieces:
        """Return the pieces of the command without an aside and the mark behind it."""
        last = min(aside.end, len(self.words) - 1)
        tokens = self.accounts.tokens
        text = self.text[: tokens[aside.start].start] + self.text[tokens[last].end :]
        return Pieces(text, Accounts(text, self.home))

    def _asking(self) -> list[Stretch]:
        """Return the stretches that ask for something each; none where words are left over."""
        found: list[Stretch] = []
        before: list[Stretch] = []
        held: Stretch | None = None
        for each in self._stretches():
            if self._is_remark(each) or self._tells_on(each) or self._is_headline(each):
                self.told.append(each)
                held = self._beside(each, held)
                continue
            stretch, held = self._after(held, each), None
            stretch.theme = self._theme(stretch, before)
            before.append(stretch)
            if self._is_taken(stretch):
                self.taken.append(stretch)
            elif self._asks(stretch):
                found.append(stretch)
            elif found and self._goes_on(stretch, found[-1]):
                found[-1] = joined_stretches(found[-1], stretch)
            else:
                held = stretch
        self.told += self.taken
        return found if held is None else []

    def _after(self, held: Stretch | None, stretch: Stretch) -> Stretch:
        """Return a stretch with one before it that asks for nothing by itself, unless that is a sentence."""
        if held is None:
            return stretch
        if stretch.begins and held.named and self.words[held.end] != ":":
            self.told.append(held)
            return stretch
        return joined_stretches(held, stretch)

    # ---- words ------------------------------------------------------------------------------------

    def _worded(self, stretches: Sequence[Stretch]) -> Iterator[Piece]:
        """Yield pieces whose pronouns are replaced, up to one that nothing fits."""
        done: list[Stretch] = []
        for n, stretch in enumerate(stretches):
            before = [one for one in (*self.told, *done) if one.start < stretch.start]
            before.sort(key=lambda one: one.start)
            found = self._without_pronouns(stretch, before)
            if found is None:
                return
            words, meant, spots = found
            stretch.named = [*stretch.theme, *meant, *stretch.named]
            stretch.spots = tuple(spots)
            done.append(stretch)
            words = self._turned(stretch) or self._kept_otherwise(stretch) or words
            text = re.sub(r" ('|n't|[,.?:])", r"\1", " ".join(words))
            yield Piece(text, stretch.waits and n > 0)

    def _without_pronouns(
        self, stretch: Stretch, before: Sequence[Stretch]
    ) -> tuple[list[str], list[Named], list[Named]] | None:
        """Return the words of a stretch, what its pronouns mean, and of that places; None where nothing fits."""
        words: list[str] = []
        every: list[Named] = []
        spots: list[Named] = []
        for at in range(stretch.start, stretch.end):
            if self._is_both_of_them(at, stretch.end):
                continue
            if self.words[at] == "there" and at > stretch.start:
                where = self._there(stretch, before)
                words += where or ["there"]
                continue
            if not self._is_pronoun(at, stretch):
                words.append(self._said(at))
                continue
            if self.words[at] in DOORS and words[-1:] and words[-1] in ("the", "its"):
                words.pop()
            meant = self._meant(at, stretch, before)
            if not meant:
                return None
            every += meant
            spots += meant if at > stretch.start and self.words[at - 1] in INTO else []
            words += self._of(meant)
        if self.words[stretch.start : stretch.start + 4] == ["do", "n't", "forget", "to"]:
            words = words[4:]
        theme = self._of(stretch.theme)
        ordered = self.words[stretch.start] in bases()
        return ([words[0], *theme, *words[1:]] if ordered else [*theme, *words]), every, spots

    def _there(self, stretch: Stretch, before: Sequence[Stretch]) -> list[str]:
        """Return where ``there`` is, with the preposition that it was named by: ``in the sink``."""
        if any(map(self._is_place, stretch.named)):
            return []
        places = [one for s in before for one in s.named if self._is_place(one)]
        for one in reversed(places):
            near = self.words[max(one.start - 3, 0) : one.start]
            how = next((word for word in near if word in _INSIDE | _ON), "")
            if how and self._can(one, "receptacle"):
                return [how, *self._of([one])]
        return []

    def _turned(self, stretch: Stretch) -> list[str]:
        """Return what ``blinds down`` asks for in words that readers know."""
        last = self.words[stretch.end - 1]
        if last not in ("up", "down") or len(stretch.named) != 1:
            return []
        (one,) = stretch.named
        opens = self._can(one, "openable") and not self._can(one, "pickupable")
        verb = "open" if last == "up" else "close"
        return [verb, *self._of([one])] if opens and one.end == stretch.end - 1 else []

    def _kept_otherwise(self, stretch: Stretch) -> list[str]:
        """Return how things are to be that are not to be left so: ``don't leave the fridge open``."""
        states = [state for at, state in self.asked.items() if stretch.start <= at < stretch.end]
        words = " ".join(self.words[stretch.start : stretch.end])
        leave = _NOT_LEFT.match(words)
        if not (leave and states and states[0] in OPPOSITE):
            return []
        every = ["all"] if leave["any"] else []
        return ["make", "sure", *every, *self._of(stretch.named), "is", OPPOSITE[states[0]].lower()]

    def _of(self, things: Sequence[Named]) -> list[str]:
        """Return the words for things: ``the mug and the cup``."""
        return [w for one in things for w in ("and", "the", *self._counted(one))][1:]

    def _counted(self, one: Named) -> list[str]:
        """Return the words for a thing with how many of it there are: ``three rolls of tin foil``."""
        start = one.start
        while (
            start > 1
            and self.words[start - 1] == "of"
            and not MEASURES.isdisjoint(singulars(self.words[start - 2]))
        ):
            start -= 2
        if start and self.words[start - 1] not in ("a", "an") and count_of(self.words[start - 1]):
            start -= 1
        return [self._said(at) for at in range(start, one.end)]

    def _said(self, at: int) -> str:
        token = self.accounts.tokens[at]
        return self.text[token.start : token.end]

    def _is_both_of_them(self, at: int, end: int) -> bool:
        """Return whether a word is the ``both`` or ``of`` of ``both of them``, ``them both``."""
        word, after, before = self.words[at], self.words[at + 1 : end], self.words[at - 1 : at]
        if word == "both":
            return after[:1] == ["them"] or after[:2] == ["of", "them"] or before == ["them"]
        return word == "of" and before == ["both"] and after[:1] == ["them"]

    def _is_pronoun(self, at: int, stretch: Stretch) -> bool:
        word = self.words[at]
        after = self.words[at + 1] if at + 1 < stretch.end else ""
        if word in DOORS:
            return not stretch.named
        if word in ("that", "these", "those", "both"):
            noun_follows = any(one.start in (at + 1, at + 2) for one in stretch.named)
            relative = any(one.end == at for one in stretch.named) and word == "that"
            return not (noun_follows or relative) and (
                not after.isalpha() or after in INTO | {"of"}
            )
        return word in ("it", "them") and not (at and self.words[at - 1] in _ASIDE)

    def _meant(self, at: int, stretch: Stretch, before: Sequence[Stretch]) -> list[Named]:
        """Return what a pronoun means: the latest that can be so, and is not what is moved there."""
        if self.words[at] in THEM:
            return self._several(before)
        spot = at > stretch.start and self.words[at - 1] in INTO
        mine = {kind for one in stretch.named for kind in one.types}
        recent = [
            one for s in (stretch, *reversed(before)) for one in self._latest(s, at, spot=spot)
        ]
        if not spot:
            need = self._needed(stretch)
            held = self._just_filled(before) if self.words[at] == "that" else []
            return [one for one in (*held, *recent) if self._can(one, need)][:1]
        spots = [
            one
            for one in recent
            if not one.types & mine and self._can(one, "receptacle") and not self._is_left(one)
            if self._fits(self.words[at - 1], one)
        ]
        return sorted(spots, key=self._is_any)[:1]

    def _just_filled(self, before: Sequence[Stretch]) -> list[Named]:
        """Return what something was put in or on last: ``put it on a plate and put that on the table``."""
        last = before[-1].named[-1:] if before else []
        return [one for one in last if self._is_place(one) and self._can(one, "receptacle")]

    def _fits(self, how: str, one: Named) -> bool:
        """Return whether ``in it`` or ``on it`` may be said of a thing: what goes in a bin goes not on it."""
        near = {*self.words[max(one.start - 3, 0) : one.start]}
        inside = bool(near & _INSIDE)
        if how in _ON:
            return not inside
        return how not in _INSIDE or inside or near.isdisjoint(_ON) or self._can(one, "openable")

    def _is_any(self, one: Named) -> bool:
        """Return whether a thing is a place that was said to be any of its kind: ``on a shelf``."""
        return self._is_place(one) and self.words[one.start - 1] in ("a", "an", "any", "some")

    def _latest(self, stretch: Stretch, at: int, *, spot: bool) -> list[Named]:
        """Return the things of a stretch as a pronoun may mean them: a place the latest, else the first."""
        named = [one for one in stretch.named if one.end <= at or stretch.end <= at]
        themes = [one for one in named if not (one in stretch.spots or self._is_place(one))]
        if len({one.types for one in themes}) > 1 and not spot:  # several are no ``it``
            named = [one for one in named if one not in themes]
        return named[::-1] if spot else sorted(named, key=lambda one: one not in themes)

    def _several(self, before: Sequence[Stretch]) -> list[Named]:
        """Return what ``them`` means: all that was last spoken of together, or one after the other."""
        themes = [[n for n in s.named if not (n in s.spots or self._is_place(n))] for s in before]
        themes = [some for some in themes if some]
        last = themes[-1] if themes else []
        alone = len(last) == 1 and not self.words[last[0].end - 1].endswith("s")
        several = [*themes[-2], *last] if alone and len(themes) > 1 else last
        return list({one.types: one for one in several}.values())

    def _needed(self, stretch: Stretch) -> str:
        states = [state_verbs().get(word, "") for word in self.words[stretch.start : stretch.end]]
        states += [state for at, state in self.asked.items() if stretch.start <= at < stretch.end]
        return next((NEEDED[state] for state in states if state in NEEDED), "pickupable")

    def _can(self, one: Named, affordance: str) -> bool:
        types = sorted(one.types)
        return self.home.usually((*types, *self.home.switches(types)), affordance)
