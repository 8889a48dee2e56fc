"""What pronouns of a command mean: ``put it on a plate and put that on the table``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from commonground.grounding.problem_writer.wishes.account import Accounts
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
    moving,
)
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of

_ALSO = frozenset(listed("as too also well ready first then please instead with"))
_ALL_OF = (["them"], ["those"], ["these"])
_GOING = frozenset(listed("go goes belong belongs can should want need"))
_INSIDE, _ON = frozenset(["in", "into", "inside"]), frozenset(["on", "onto", "upon"])
_ASIDE = frozenset(listed("for with to where after before"))
"""Before a pronoun these tell for whom something is done, or when."""


@cache
def _moved() -> re.Pattern[str]:
    """Return a pattern for what is to go somewhere, said by a pronoun."""
    goes = r"it|they|those|(?:both|all) of (?:them|those)"
    return re.compile(
        rf"\b(?:(?:{'|'.join(sorted(moving()))}) (?:both of |all of )?(?P<moved>it|them|those)"
        rf"|(?P<goes>{goes}) (?:all |both )?(?:(?:can|should) )?(?:go(?:es)?|belongs?))"
        r" (?:back )?(?:in|on|into|onto|to|inside|under)\b"
    )


def adrift(accounts: Accounts) -> str:
    """Return a pronoun for what is to go somewhere in a text that names nothing before it."""
    moved = _moved().search(" ".join(accounts.words))
    if moved is None:
        return ""
    said = "moved" if moved["moved"] else "goes"
    at = moved.string[: moved.start(said)].count(" ")
    return "" if any(one.start < at for one in accounts.named) else moved[said]


@dataclass(slots=True)
class Plain:
    """The words of a stretch without pronouns."""

    words: list[str] = field(default_factory=list)
    meant: list[Named] = field(default_factory=list)
    """What its pronouns mean."""
    spots: list[Named] = field(default_factory=list)
    """Those of them that are places."""


class Pronouns(Stretches):
    """The pronouns of one command."""

    def __init__(self, text: str, accounts: Accounts) -> None:
        super().__init__(accounts)
        self.text = text
        self.open = False
        """Whether any pronoun may mean one or another of what was named before."""

    def _without_pronouns(self, stretch: Stretch, before: Sequence[Stretch]) -> Plain | None:
        """Return a stretch in which pronouns are what they mean; None where nothing fits one."""
        plain = Plain()
        for at in range(stretch.start, stretch.end):
            if self._is_both_of_them(at, stretch.end):
                continue
            if self.words[at] == "there" and at > stretch.start:
                plain.words += self._there(at, stretch, before) or ["there"]
            elif not self._is_pronoun(at, stretch):
                plain.words.append(self._said(at))
                if self._goes_in(at, stretch):
                    plain.words += self._of(self._into(at, stretch, before))
            elif not self._takes_up(plain, at, stretch, before):
                return None
        if self.words[stretch.start : stretch.start + 4] == ["do", "n't", "forget", "to"]:
            plain.words = plain.words[4:]
        behind = 1 if self.words[stretch.start] in bases() else 0
        plain.words[behind:behind] = self._of(stretch.theme)
        return plain

    def _takes_up(self, plain: Plain, at: int, stretch: Stretch, before: Sequence[Stretch]) -> bool:
        """Add what a pronoun means, if anything fits it."""
        if self.words[at] in DOORS and plain.words[-1:] and plain.words[-1] in ("the", "its"):
            plain.words.pop()
        meant = self._meant(at, stretch, before)
        plain.meant += meant
        plain.spots += meant if at > stretch.start and self.words[at - 1] in INTO else []
        words = self._of(meant)
        all_of = plain.words[-1:] == ["of"] and plain.words[-2:-1] in (["all"], ["All"])
        if all_of and words[1:2] and count_of(words[1]):  # ``all three rolls of foil``
            plain.words.pop()
            words = words[1:]
        plain.words += words
        return bool(meant)

    def _there(self, at: int, stretch: Stretch, before: Sequence[Stretch]) -> list[str]:
        """Return where ``there`` is, with the preposition that it was named by: ``in the sink``."""
        if any(map(self._is_place, stretch.named)):
            return []
        places = [one for s in before for one in s.named if one in s.spots or self._is_place(one)]
        if (how := self.words[at - 1]) in _INSIDE | _ON:  # ``in there``
            fitting = (one for one in reversed(places) if self._takes_things(one))
            return self._of([one for one in fitting if self._fits(how, one)][:1])
        return next((at for at in map(self._at, reversed(places)) if at), [])

    def _at(self, one: Named) -> list[str]:
        """Return words for a place, with the preposition that it was named by: ``in the sink``."""
        near = self.words[max(one.start - 3, 0) : one.start]
        how = next((word for word in near if word in _INSIDE | _ON), "")
        if not how and not {"to", "at"}.isdisjoint(near):
            how = "in" if self._can(one, "openable") else "on"
        return [how, *self._of([one])] if how and self._can(one, "receptacle") else []

    def _goes_in(self, at: int, stretch: Stretch) -> bool:
        """Return whether a word is an ``in`` that does not say in what: ``put the egg in as well``."""
        behind = self.words[at + 1 : stretch.end]
        verb = not moving().isdisjoint(self.words[stretch.start : at])
        ends = not behind or behind[0] in _ALSO
        return (
            self.words[at] == "in" and verb and ends and not any(map(self._is_place, stretch.named))
        )

    def _into(self, at: int, stretch: Stretch, before: Sequence[Stretch]) -> list[Named]:
        """Return in what the latest things were put, or else the latest thing that takes some in."""
        recent = [one for s in reversed(before) for one in self._latest(s, s.end, spot=True)]
        return self._meant_place(at + 1, stretch, recent)

    def _is_both_of_them(self, at: int, end: int) -> bool:
        """Return whether a word is the ``both`` or ``of`` of ``both of them``, ``them both``."""
        word, after, before = self.words[at], self.words[at + 1 : end], self.words[at - 1 : at]
        if word == "both":
            of = after[:1] == ["of"]
            return after[of : of + 1] in _ALL_OF or before == ["them"]
        return word == "of" and before == ["both"] and after[:1] in _ALL_OF

    def _is_pronoun(self, at: int, stretch: Stretch) -> bool:
        word = self.words[at]
        after = self.words[at + 1] if at + 1 < stretch.end else ""
        if at and self.words[at - 1] in _ASIDE:
            return False
        if word in DOORS:
            return not stretch.named
        if word in ("that", "these", "those", "both"):
            noun_follows = any(one.start in (at + 1, at + 2) for one in stretch.named)
            relative = any(one.end == at for one in stretch.named) and word == "that"
            return not (noun_follows or relative) and (
                not after.isalpha()
                or after in INTO | {"of", "up", "off", "out"}
                or (at == stretch.start and after in _GOING)
            )
        return word in ("it", "them")

    def _meant(self, at: int, stretch: Stretch, before: Sequence[Stretch]) -> list[Named]:
        """Return what a pronoun means: the latest that can be so, and is not what is moved there."""
        if self.words[at] in THEM:
            return self._several(before)
        spot = at > stretch.start and self.words[at - 1] in INTO
        recent = [
            one for s in (stretch, *reversed(before)) for one in self._latest(s, at, spot=spot)
        ]
        if spot:
            return self._meant_place(at, stretch, recent)
        need = self._needed(stretch)
        held = self._just_filled(before) if self.words[at] == "that" else []
        fitting = [one for one in (*held, *recent) if self._can(one, need)]
        self.open |= len({one.types for one in fitting}) > 1
        return fitting[:1]

    def _meant_place(self, at: int, stretch: Stretch, recent: Sequence[Named]) -> list[Named]:
        """Return where ``in it`` is: the latest place that one may say so of, rather none that was any."""
        mine = {kind for one in stretch.named for kind in one.types}
        spots = (one for one in recent if not one.types & mine and self._takes_things(one))
        fitting = [one for one in spots if self._fits(self.words[at - 1], one)]
        self.open |= len({one.types for one in fitting}) > 1
        return fitting[:1]

    def _takes_things(self, one: Named) -> bool:
        """Return whether something may be put in or on a thing that was not only left."""
        return self._can(one, "receptacle") and not self._is_left(one)

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
        return list({self.accounts.said(one): one for one in several}.values())

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
        apart = start > 0 and self.words[start - 1] not in ("a", "an", "both")
        if apart and count_of(self.words[start - 1]):
            start -= 1
        return [self._said(at) for at in range(start, one.end)]

    def _is_plain(self, one: Named) -> bool:
        """Return whether a name tells which thing is meant: the only one of its kind, or all of them."""
        if one.name:
            return True
        count = count_of(self._counted(one)[0]) or 1
        return len(self.home.things(sorted(one.types))) == count

    def _said(self, at: int) -> str:
        token = self.accounts.tokens[at]
        return self.text[token.start : token.end]

    def _needed(self, stretch: Stretch) -> str:
        states = [state_verbs().get(word, "") for word in self.words[stretch.start : stretch.end]]
        states += [state for at, state in self.asked.items() if stretch.start <= at < stretch.end]
        return next((NEEDED[state] for state in states if state in NEEDED), "pickupable")

    def _can(self, one: Named, affordance: str) -> bool:
        types = sorted(one.types)
        return self.home.usually((*types, *self.home.switches(types)), affordance)
