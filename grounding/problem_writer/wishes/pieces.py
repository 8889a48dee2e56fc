"""A command in pieces that ask for something each, without what is only said beside: ``TV on, lamp off, I'm tired``.

Readers take a short sentence more surely than a long one. Pronouns become what they mean, so that each piece
stands by itself; nothing is divided that holds together by ``if``, ``or`` or ``except``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.remarks import JOINING, MARKS, PEOPLE, WANTING
from commonground.grounding.problem_writer.commands.vocabulary import command_words
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts, Named, state_verbs
from commonground.grounding.problem_writer.wishes.home import NEEDED, Home
from commonground.grounding.problem_writer.wishes.order import steps_of
from commonground.grounding.problem_writer.wishes.things import Condition, whole
from commonground.grounding.problem_writer.wishes.nouns import MEASURES
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.verbs import verb_forms
from commonground.planning.pddl import Atom, Formula
from commonground.planning.pddl.logic import conjuncts

_ENDS = frozenset(".;!?")
_HOLDING = frozenset(
    listed("if unless or either except excluding apart before after while when once than other others rest")
)  # fmt: skip
"""Words that tie what is behind them to what is before."""
_AND = frozenset(["and", "then", "but", "so", "plus", "&", "because"])
_AFTERWARDS = frozenset(listed("then afterwards next finally"))
_ALSO = frozenset(listed("right oh ok okay well now"))
_IT, _THEM = frozenset(["it", "that"]), frozenset(["them", "both", "these", "those"])
_INTO = frozenset(listed("in into inside on onto upon under to"))
_LEFT = frozenset(["off", "from"])
_AWAY = frozenset(listed("away back out off where remain stay"))
_ASIDE = frozenset(listed("for with to where"))
"""Before a pronoun these tell for whom something is done."""
_DOORS = frozenset(["door", "lid"])
"""What belongs to the thing that was spoken of."""
_CROWD = frozenset(listed("everyone everybody someone somebody nobody anybody"))
_SUBJECTS = frozenset(
    listed("it that there my this our his her their wherever whatever whichever whoever")
)
_ORDERING = (WANTING | {"you"}) - {"like", "to"}
_BEING = frozenset(listed("is are 's 're 'm 've was were be been has have had will would"))
_TO_BE = frozenset(listed("to being on off open closed shut empty"))


class Piece(NamedTuple):
    """One piece of a command, and whether it waits for those before."""

    text: str
    waits: bool = False


@dataclass(slots=True)
class _Stretch:
    """Words between marks or ``and``."""

    start: int
    end: int
    begins: bool = False
    """Whether it begins a sentence."""
    waits: bool = False
    named: list[Named] = field(default_factory=list)
    theme: tuple[Named, ...] = ()
    """What it is about, where it does not say so: ``into the bowl``."""


class Pieces:
    """Divides one command."""

    def __init__(self, text: str, accounts: Accounts) -> None:
        self.text, self.accounts, self.home = text, accounts, accounts.home
        self.words = accounts.words
        self.asked = {at: ask.state for at, ask in accounts.asked}
        self.told: list[_Stretch] = []
        """What is only told, which pronouns may mean."""

    def all(self) -> list[Piece]:
        """Return all pieces in their order; none where the command is one piece, or cannot be divided."""
        found: list[_Stretch] = []
        before: list[_Stretch] = []
        taken: list[_Stretch] = []
        held: _Stretch | None = None
        for stretch in self._stretches():
            if self._is_remark(stretch):
                self.told.append(stretch)
                continue
            if held is not None and stretch.begins and held.named and self.words[held.end] != ":":
                self.told.append(held)
            elif held is not None:
                stretch = _joined(held, stretch)
            held = None
            stretch.theme = self._theme(stretch, before)
            before.append(stretch)
            if self._is_taken(stretch):
                taken.append(stretch)
            elif self._asks(stretch):
                found.append(stretch)
            elif found and self._goes_on(stretch, found[-1]):
                found[-1] = _joined(found[-1], stretch)
            else:
                held = stretch
        if held is not None:
            return []
        self.told += taken
        pieces = [*self._worded(found)]
        used = [one for stretch in found for one in stretch.named]
        if any(one.named and not any(one.named[0].types & use.types for use in used) for one in taken):
            return []
        whole = len(pieces) == 1 and pieces[0].text.strip() == self.text.strip(" .!?")
        return [] if whole or len(pieces) < len(found) else pieces

    # ---- stretches --------------------------------------------------------------------------------

    def _stretches(self) -> Iterator[_Stretch]:
        """Yield stretches of words; a sentence that holds together is one."""
        begin = 0
        for end in [*(n for n, w in enumerate(self.words) if w in _ENDS), len(self.words)]:
            if end > begin:
                yield from self._divided(begin, end)
            begin = end + 1

    def _divided(self, begin: int, end: int) -> Iterator[_Stretch]:
        whole = any(self._holds(at, end) for at in range(begin, end))
        start, waits, first = begin, False, True
        for at in range(begin, end + 1):
            if at < end and (whole or self.words[at] not in MARKS | _AND):
                continue
            if at > start:
                named = [n for n in self.accounts.named if start <= n.start < at]
                yield _Stretch(start, at, first, waits, named)
                first, waits = False, False
            start = at + 1
            waits = waits or (at < end and self.words[at] in _AFTERWARDS)

    def _holds(self, at: int, end: int) -> bool:
        """Return whether a word ties what is behind it, up to the next mark, to what is before."""
        if self.words[at] not in _HOLDING:
            return False
        stop = next((n for n in range(at + 1, end) if self.words[n] in MARKS | _AND), end)
        asked = any(at < n < stop for n in self.asked)
        return asked or any(at < one.start < stop for one in self.accounts.named)

    def _is_remark(self, stretch: _Stretch) -> bool:
        """Return whether a stretch only tells something: about nothing in the house, or how things are."""
        words = self.words[stretch.start : stretch.end]
        while words and words[0] in JOINING | _AFTERWARDS | _ALSO:
            words = words[1:]
        if not words or words[:4] == ["do", "n't", "forget", "the"]:
            return True
        if words[0] == "there" and not NEGATIONS.isdisjoint(words):
            return False  # ``there's no room on it`` asks for some
        asked = any(stretch.start <= at < stretch.end for at in self.asked)
        tells = words[0] in PEOPLE and _ORDERING.isdisjoint(words)
        is_told = words[0] in _CROWD | _SUBJECTS and not _BEING.isdisjoint(words[1:3])
        tells = tells or (is_told and not (asked and stretch.named))
        if stretch.named and not tells:
            end = stretch.named[0].end
            behind = self.words[end : min(end + 2, stretch.end)]
            is_so = bool(behind) and behind[0] in _BEING and _TO_BE.isdisjoint(behind)
            return is_so and not asked
        if stretch.named or asked:
            return tells
        subject = words[0] in _SUBJECTS | _CROWD or not _BEING.isdisjoint(words[:3])
        tells = tells or (subject and _ORDERING.isdisjoint(words))
        return tells or (len(words) <= 2 and (_IT | _THEM | NEGATIONS).isdisjoint(words))

    def _theme(self, stretch: _Stretch, before: Sequence[_Stretch]) -> tuple[Named, ...]:
        """Return what a stretch is about that does not say so: ``into the bowl``, ``sliced``, ``slice``."""
        words = self.words[stretch.start : stretch.end]
        if not before or not (_IT | _THEM).isdisjoint(words):
            return ()
        last = before[-1]
        themes = (*last.theme, *(n for n in last.named if not self._is_place(n)))
        placed = words[0] in _INTO
        alone = not stretch.named and stretch.start in self.asked
        done = words[0] in participles() and (stretch.start in self.asked or not stretch.named)
        done = done or (words[0] in participles() and self._place_at(stretch) == 1)
        done = done or (words[0] in moving() and self._place_at(stretch) in (1, 2) and self._names_no_more(stretch))
        return themes if placed or alone or done else ()

    def _is_taken(self, stretch: _Stretch) -> bool:
        """Return whether things are only taken from somewhere, for what comes next: ``the egg out of the box``."""
        words = self.words[stretch.start : stretch.end]
        asked = any(stretch.start <= at < stretch.end for at in self.asked)
        out = any(self._is_left(one) for one in stretch.named[1:])
        return out and not asked and _INTO.isdisjoint(words)

    def _place_at(self, stretch: _Stretch) -> int | None:
        words = self.words[stretch.start : stretch.end]
        return next((n for n, w in enumerate(words) if w in _INTO), None)

    def _names_no_more(self, stretch: _Stretch) -> bool:
        """Return whether a stretch names places alone."""
        return all(map(self._is_place, stretch.named))

    def _asks(self, stretch: _Stretch) -> bool:
        """Return whether a stretch asks for something of a thing, and says where what is moved shall go."""
        words = self.words[stretch.start : stretch.end]
        about = bool(stretch.named or stretch.theme) or not (_IT | _THEM | _DOORS).isdisjoint(words)
        at = self._first_asking(stretch)
        if not about or at is None:
            return False
        moves = self.words[at] in moving() and at not in self.asked
        return not moves or not (_INTO | _AWAY).isdisjoint(self.words[at + 1 : stretch.end])

    def _goes_on(self, stretch: _Stretch, before: _Stretch) -> bool:
        """Return whether a stretch only lists more of what one before is about: ``slice the egg, the apple``."""
        at = self._first_asking(before)
        first = at is not None and all(at < one.start for one in before.named)
        return first and not stretch.begins and self._first_asking(stretch) is None

    def _first_asking(self, stretch: _Stretch) -> int | None:
        """Return where a stretch says what is to be: by a verb, a state or a place."""
        of_noun = {n for one in stretch.named for n in range(one.start, one.end)}
        for at in range(stretch.start, stretch.end):
            word, inner = self.words[at], at > stretch.start
            verb = word in verbs() and at not in of_noun and not self._is_noun(at)
            placed = word in _INTO and (inner or bool(stretch.theme))
            turned = inner and at - 1 in of_noun and (word in ("up", "down") or word.endswith("ed"))
            if at in self.asked or verb or placed or turned:
                return at
        return None

    def _is_noun(self, at: int) -> bool:
        return at > 0 and self.words[at - 1] in ("a", "an", "the", "my", "this", "that", "of")

    # ---- words ------------------------------------------------------------------------------------

    def _worded(self, stretches: Sequence[_Stretch]) -> Iterator[Piece]:
        """Yield pieces whose pronouns are replaced, up to one that nothing fits."""
        before: list[_Stretch] = [*self.told]
        for n, stretch in enumerate(stretches):
            told = self._of(stretch.theme)
            words: list[str] = []
            meant: list[Named] = []
            for at in range(stretch.start, stretch.end):
                if self._is_both_of_them(at, stretch.end):
                    continue
                if self.words[at] in _DOORS and words[-1:] and words[-1] in ("the", "its"):
                    words.pop()
                if self._is_pronoun(at, stretch):
                    meant = self._meant(at, stretch, before)
                    if not meant:
                        return
                    words += self._of(meant)
                else:
                    words.append(self._said(at))
            if self.words[stretch.start : stretch.start + 4] == ["do", "n't", "forget", "to"]:
                words = words[4:]
            ordered = self.words[stretch.start] in bases()
            words = [words[0], *told, *words[1:]] if ordered else [*told, *words]
            stretch.named = [*stretch.theme, *meant, *stretch.named]
            before = [one for one in before if one.start < stretch.start]
            before.append(stretch)
            words = self._turned(stretch) or self._kept_otherwise(stretch) or words
            text = re.sub(r" ('|n't|[,.?:])", r"\1", " ".join(words))
            yield Piece(text, stretch.waits and n > 0)

    def _turned(self, stretch: _Stretch) -> list[str]:
        """Return what ``blinds down`` asks for in words that readers know."""
        last = self.words[stretch.end - 1]
        if last not in ("up", "down") or len(stretch.named) != 1:
            return []
        (one,) = stretch.named
        opens = self._can(one, "openable") and not self._can(one, "pickupable")
        verb = "open" if last == "up" else "close"
        return [verb, *self._of([one])] if opens and one.end == stretch.end - 1 else []

    def _kept_otherwise(self, stretch: _Stretch) -> list[str]:
        """Return how things are to be that are not to be left as they are: ``don't leave the fridge open``."""
        states = [state for at, state in self.asked.items() if stretch.start <= at < stretch.end]
        leave = self.words[stretch.start : stretch.start + 3] == ["do", "n't", "leave"]
        if not (leave and states and states[0] in OPPOSITE):
            return []
        return ["make", "sure", *self._of(stretch.named), "is", OPPOSITE[states[0]].lower()]

    def _of(self, things: Sequence[Named]) -> list[str]:
        """Return the words for things: ``the mug and the cup``."""
        return [w for one in things for w in ("and", "the", *self._counted(one))][1:]

    def _counted(self, one: Named) -> list[str]:
        """Return the words for a thing with how many of it there are: ``three rolls of tin foil``."""
        start = one.start
        while start > 1 and self.words[start - 1] == "of" and not MEASURES.isdisjoint(singulars(self.words[start - 2])):
            start -= 2
        if start and count_of(self.words[start - 1]) is not None:
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

    def _is_pronoun(self, at: int, stretch: _Stretch) -> bool:
        word = self.words[at]
        after = self.words[at + 1] if at + 1 < stretch.end else ""
        if word in _DOORS:
            return not stretch.named
        if word in ("that", "these", "those", "both"):
            noun_follows = any(one.start in (at + 1, at + 2) for one in stretch.named)
            return not noun_follows and (not after.isalpha() or after in _INTO | {"of"})
        return word in ("it", "them") and not (at and self.words[at - 1] in _ASIDE)

    def _meant(self, at: int, stretch: _Stretch, before: Sequence[_Stretch]) -> list[Named]:
        """Return what a pronoun means: the latest that can be so, and is not what is moved there."""
        if self.words[at] in _THEM:
            return self._several(before)
        spot = at > stretch.start and self.words[at - 1] in _INTO
        mine = {kind for one in stretch.named for kind in one.types}
        recent = [
            one for s in (stretch, *reversed(before)) for one in self._latest(s, at, spot=spot)
        ]
        if not spot:
            need = self._needed(stretch)
            return [one for one in recent if self._can(one, need)][:1]
        return [
            one
            for one in recent
            if not one.types & mine and self._can(one, "receptacle") and not self._is_left(one)
        ][:1]

    def _latest(self, stretch: _Stretch, at: int, *, spot: bool) -> list[Named]:
        """Return the things of a stretch as a pronoun may mean them: a place the latest, else the first."""
        named = [one for one in stretch.named if one.end <= at or stretch.end <= at]
        themes = [one for one in named if not self._is_place(one)]
        if len({one.types for one in themes}) > 1 and not spot:  # several are no ``it``
            named = [one for one in named if one not in themes]
        return named[::-1] if spot else sorted(named, key=self._is_place)

    def _several(self, before: Sequence[_Stretch]) -> list[Named]:
        """Return what ``them`` means: all that was last spoken of together, or one after the other."""
        themes = [[n for n in s.named if not self._is_place(n)] for s in before]
        themes = [some for some in themes if some]
        last = themes[-1] if themes else []
        alone = len(last) == 1 and not self.words[last[0].end - 1].endswith("s")
        return [*themes[-2], *last] if alone and len(themes) > 1 else last

    def _needed(self, stretch: _Stretch) -> str:
        states = [state_verbs().get(word, "") for word in self.words[stretch.start : stretch.end]]
        states += [state for at, state in self.asked.items() if stretch.start <= at < stretch.end]
        return next((NEEDED[state] for state in states if state in NEEDED), "pickupable")

    def _can(self, one: Named, affordance: str) -> bool:
        types = sorted(one.types)
        return self.home.usually((*types, *self.home.switches(types)), affordance)

    def _is_place(self, one: Named) -> bool:
        near = self.words[max(one.start - 3, 0) : one.start]
        return not _INTO.isdisjoint(near) or self._is_left(one)

    def _is_left(self, one: Named) -> bool:
        near = self.words[max(one.start - 3, 0) : one.start]
        return not _LEFT.isdisjoint(near) or ("out" in near and "of" in near)


def _joined(one: _Stretch, other: _Stretch) -> _Stretch:
    named = [*one.named, *other.named]
    return _Stretch(one.start, other.end, one.begins, one.waits, named, one.theme)


def joined(found: Sequence[tuple[Wish, bool]], home: Home) -> Wish:
    """Return the wishes of pieces as one, each with whether it waits for those before.

    What is put into something and later elsewhere is not to be there in the end.
    """
    deeds: list[tuple[list[Condition], bool]] = []
    before: list[Formula] = []
    for at, (wish, waits) in enumerate(found):
        later = {item: place for one, _ in found[at + 1 :] for place, item in _places(one)}
        gone = {(place, item) for place, item in _places(wish) if later.get(item, place) != place}
        before += [*wish.before, *([wish.goal] if gone else [])]
        parts = [each for each in conjuncts(wish.goal) if not (gone and _place(each) in gone)]
        deeds.append(([whole(each) for each in parts], waits))
    *steps, goal = steps_of(deeds, home)
    spared = tuple(fact for wish, _ in found for fact in wish.spared)
    barred = tuple(fact for wish, _ in found for fact in wish.barred)
    vague = any(wish.vague for wish, _ in found)
    return Wish(goal, tuple(dict.fromkeys((*before, *steps))), spared, barred, vague)


def _places(wish: Wish) -> list[tuple[str, str]]:
    """Return where a wish wants which things to be."""
    return [place for each in conjuncts(wish.goal) if (place := _place(each)) is not None]


def _place(each: Formula) -> tuple[str, str] | None:
    is_place = isinstance(each, Atom) and each.predicate == "contains"
    return (each.args[0], each.args[1]) if isinstance(each, Atom) and is_place else None


@cache
def verbs() -> frozenset[str]:
    """Return all forms of the verbs that ask for something."""
    return _forms(frame for frame in command_words().verbs if frame != "ensure")


@cache
def moving() -> frozenset[str]:
    """Return all forms of the verbs that mean nothing without a place, or another verb."""
    return _forms(["put", "take_up"])


@cache
def bases() -> frozenset[str]:
    """Return the verbs that ask for something, as they are in orders."""
    return frozenset(p.partition(" ")[0] for ps in command_words().verbs.values() for p in ps)


@cache
def participles() -> frozenset[str]:
    """Return the verbs that ask for something, as they are of what is done."""
    return verbs() - bases()


def _forms(frames: Iterable[str]) -> frozenset[str]:
    found = {p.partition(" ")[0] for frame in frames for p in command_words().verbs[frame]}
    return frozenset(form for base in found for form in verb_forms(base))
