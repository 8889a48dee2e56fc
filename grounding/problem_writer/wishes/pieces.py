"""A command in pieces that ask for something each, without what is only said beside.

Readers take a short sentence more surely than a long one. Pronouns become what they mean, so that each piece
stands by itself; nothing is divided that holds together by ``if``, ``or`` or ``except``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Named
from commonground.grounding.problem_writer.wishes.heads import ordered
from commonground.grounding.problem_writer.wishes.pronouns import Pronouns
from commonground.grounding.problem_writer.wishes.stretches import (
    INTO,
    Stretch,
    joined_stretches,
)

_NOT_LEFT = re.compile(
    r"(?:then )?(?:(?:do (?:n't|not)|never) leave (?P<any>any |either )?"
    r"|(?P<none>no |none of )?(?:(?!(?:should|must|may|shall|is|are)\b)[\w-]+ ){1,4}?"
    r"(?:should|must|may|shall|(?:is|are) (?P<to>not )?to) "
    r"(?(none)|(?(to)|(?:not |n't |never )))(?:be|stay|remain) )"
)


class Piece(NamedTuple):
    """One piece of a command, and whether it waits for those before."""

    text: str
    waits: bool = False
    named: tuple[Named, ...] = ()
    """What it names itself."""
    again: tuple[Named, ...] = ()
    """What its pronouns mean, of which the words of a piece may not say which one that was."""


class Pieces(Pronouns):
    """Divides one command."""

    def __init__(self, text: str, accounts: Accounts) -> None:
        super().__init__(text, accounts)
        self.told: list[Stretch] = []
        """What is only told, which pronouns may mean."""
        self.taken: list[Stretch] = []
        """What is only taken from somewhere, for what comes next."""

    def all(self) -> list[Piece]:
        """Return all pieces in their order; none where the command is one piece, or cannot be divided."""
        asking = self._asking()
        pieces = [*self._worded(asking)]
        used = {kind for stretch in asking for one in stretch.named for kind in one.types}
        taken = [s.named[0] for s in self.taken if not self._is_left(s.named[0])]
        lost = any(used.isdisjoint(one.types) for one in taken)
        whole = len(pieces) == 1 and pieces[0].text.strip() == self.text.strip(" .!?")
        return [] if lost or whole or len(pieces) < len(asking) else pieces

    def _is_headline(self, stretch: Stretch) -> bool:
        """Return whether a stretch only says what the rest is for: ``let's do the salad: wash the ...``."""
        rest = self.words[stretch.end :]
        end = next((n for n, word in enumerate(rest) if word in ".;!?"), len(rest))
        states = any(stretch.start <= at < stretch.end for at in self.asked)
        placed = not INTO.isdisjoint(self.words[stretch.start : stretch.end])
        return ":" in rest[:end] and stretch.begins and not (states or placed)

    def _asking(self) -> list[Stretch]:
        """Return the stretches that ask for something each; none where words are left over."""
        found: list[Stretch] = []
        before: list[Stretch] = []
        held: Stretch | None = None
        for each in self._stretches():
            if self._is_remark(each) or self._is_headline(each):
                self.told.append(each)
                continue
            stretch, held = self._after(held, each), None
            stretch.theme = self._theme(stretch, before)
            before.append(stretch)
            if self._is_taken(stretch):
                self.taken.append(stretch)
            elif self._asks(stretch) or self._lets_be(stretch):
                found.append(stretch)
            elif found and self._goes_on(stretch, found[-1]):
                found[-1] = joined_stretches(found[-1], stretch)
            else:
                held = stretch
        self.told += self.taken
        return found if held is None else []

    def _lets_be(self, stretch: Stretch) -> bool:
        """Return whether a stretch says that something stays as it is."""
        said = self.accounts.acts.said
        lets = any(s.act == "leave" and s.start <= stretch.start < s.end for s in said)
        return lets and bool(stretch.named)

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
            own, again = tuple(stretch.named), (*stretch.theme, *found.meant)
            stretch.named = [*again, *own]
            stretch.spots = tuple(found.spots)
            self.open |= bool(stretch.theme) or not all(map(self._is_plain, found.meant))
            done.append(stretch)
            words = self._turned(stretch) or self._kept_otherwise(stretch)
            words = words or self._as_order(stretch, found.words)
            text = re.sub(r" ('|n't|[,.?:])", r"\1", " ".join(words))
            yield Piece(text, stretch.waits and n > 0, own, again)

    def _turned(self, stretch: Stretch) -> list[str]:
        """Return what ``blinds down`` asks for in words that readers know."""
        last = self.words[stretch.end - 1]
        if last not in ("up", "down") or len(stretch.named) != 1:
            return []
        (one,) = stretch.named
        opens = self._can(one, "openable") and not self._can(one, "pickupable")
        verb = "open" if last == "up" else "close"
        return [verb, *self._of([one])] if opens and one.end == stretch.end - 1 else []

    def _as_order(self, stretch: Stretch, words: list[str]) -> list[str]:
        """Return an order for what is to be done to a thing, where that is only noted: ``kettle filled``."""
        names = {word for one in stretch.named for word in self.accounts.said(one).split()}
        bare = (n for n, word in enumerate(words) if word.casefold() not in names | DETERMINERS)
        at = next(bare, len(words))
        verb = ordered().get(words[at].casefold()) if 0 < at < len(words) else None
        the = [] if words[0].casefold() in DETERMINERS else ["the"]
        return [verb, *the, *words[:at], *words[at + 1 :]] if verb else words

    def _kept_otherwise(self, stretch: Stretch) -> list[str]:
        """Return how things are to be that are not to be left so: ``don't leave the fridge open``."""
        states = [state for at, state in self.asked.items() if stretch.start <= at < stretch.end]
        words = " ".join(self.words[stretch.start : stretch.end])
        leave = _NOT_LEFT.match(words)
        if not (leave and states and states[0] in OPPOSITE):
            return []
        every = ["all"] if leave["any"] or leave["none"] else []
        return ["make", "sure", *every, *self._of(stretch.named), "is", OPPOSITE[states[0]].lower()]
