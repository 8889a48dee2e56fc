"""Stretches of a command: what asks for something, and what is only said beside: ``I'm tired``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.remarks import JOINING, MARKS
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.heads import JOINTS, sentences
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.verbs import verb_forms

_HOLDING = frozenset(
    listed("if unless or either except excluding apart before after while when once than other others rest")
)  # fmt: skip
"""Words that tie what is behind them to what is before."""
_AND = frozenset(["and", "then", "but", "so", "plus", "&", "because"])
_AFTERWARDS = frozenset(listed("then afterwards next finally"))
_ALSO = frozenset(listed("right oh ok okay well now"))
IT, THEM = frozenset(["it", "that"]), frozenset(["them", "both", "these", "those"])
INTO = frozenset(listed("in into inside on onto upon under to"))
_BY = frozenset(listed("at by near beside behind under across around along"))
_LEFT = frozenset(["off", "from"])
_GETTING = frozenset(listed("get take fetch pull bring grab lift dig"))
_AWAY = frozenset(listed("away back out off where remain stay"))
DOORS = frozenset(["door", "lid"])
"""What belongs to the thing that was spoken of."""


@dataclass(slots=True)
class Stretch:
    """Words between marks or ``and``."""

    start: int
    end: int
    begins: bool = False
    """Whether it begins a sentence."""
    waits: bool = False
    named: list[Named] = field(default_factory=list)
    theme: tuple[Named, ...] = ()
    """What it is about, where it does not say so: ``into the bowl``."""
    spots: tuple[Named, ...] = ()
    """Places that pronouns mean: ``onto it``."""


class Stretches:
    """Divides one command into stretches."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts, self.home = accounts, accounts.home
        self.words = accounts.words
        self.asked = {at: ask.state for at, ask in accounts.asked}
        heads = (accounts.acts.head(one.start, one.end) for one in accounts.acts.said)
        self._subjects = {
            at for head in heads if head.mood == "told" for at in range(head.subject, head.verb)
        }
        """The words of the subjects of clauses: ``the mug and the cup can go``."""

    # ---- stretches --------------------------------------------------------------------------------

    def _stretches(self) -> Iterator[Stretch]:
        """Yield stretches of words; a sentence that holds together is one."""
        for begin, end in sentences(self.words):
            cuts = [begin, *self._groups(begin, end), end]
            for start, stop in pairwise(cuts):
                yield from self._divided(start, stop, start == begin)

    def _groups(self, begin: int, end: int) -> Iterator[int]:
        """Yield where clauses begin in a sentence that no word ties to those before."""
        inside = [one for one in self.accounts.acts.said if begin <= one.start < end]
        for before, one in pairwise(inside):
            first = [w for w in self.words[one.start : one.end] if w not in JOINTS][:1]
            fronted = [w for w in self.words[before.start : before.end] if w not in JOINTS][:1]
            joint = self.words[one.start] in ("and", "but")
            ties = first and first[0] in _HOLDING and not joint
            waits = fronted and fronted[0] in _HOLDING
            if not (ties or waits or "or" in self.words[one.start : one.start + 2]):
                yield one.start

    def _divided(self, begin: int, end: int, first: bool) -> Iterator[Stretch]:
        whole = any(self._holds(at, end) for at in range(begin, end))
        start, waits = begin, False
        for at in range(begin, end + 1):
            listed = whole or at in self._subjects
            if at < end and (listed or self.words[at] not in MARKS | _AND):
                continue
            if at > start:
                named = [n for n in self.accounts.named if start <= n.start < at]
                yield Stretch(start, at, first, waits, named)
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

    def _is_remark(self, stretch: Stretch) -> bool:
        """Return whether a stretch only tells something: about nothing in the house, or how things are."""
        at = stretch.start
        while at < stretch.end and self.words[at] in JOINING | _AFTERWARDS | _ALSO:
            at += 1
        words = self.words[at : stretch.end]
        reminds = words[:4] == ["do", "n't", "forget", "the"]
        told = all(self.accounts.acts.told[at : stretch.end])  # so is nothing at all
        return told or reminds or self._is_beside_the_point(stretch, words)

    def _asked_in(self, stretch: Stretch) -> bool:
        """Return whether any word of a stretch asks for a state."""
        return any(stretch.start <= at < stretch.end for at in self.asked)

    def _is_beside_the_point(self, stretch: Stretch, words: Sequence[str]) -> bool:
        """Return whether a few words name nothing here and ask for nothing: ``please``."""
        idle = not (stretch.named or self._asked_in(stretch))
        return idle and len(words) <= 2 and (IT | THEM | NEGATIONS).isdisjoint(words)

    def _theme(self, stretch: Stretch, before: Sequence[Stretch]) -> tuple[Named, ...]:
        """Return what a stretch is about that does not say so: ``into the bowl``, ``sliced``, ``slice``."""
        words = self.words[stretch.start : stretch.end]
        if not before or not (IT | THEM | DOORS).isdisjoint(words):
            return ()
        last = before[-1]
        themes = (*last.theme, *(n for n in last.named if not self._is_place(n)))
        alone = not stretch.named and stretch.start in self.asked
        goes_on = words[0] in INTO or alone or self._is_done_to_it(stretch)
        return themes if goes_on else ()

    def _is_done_to_it(self, stretch: Stretch) -> bool:
        """Return whether a stretch begins with what is done to something before: ``served on the plate``."""
        first, place = self.words[stretch.start], self._place_at(stretch)
        if first in participles():
            return stretch.start in self.asked or not stretch.named or place == 1
        return first in moving() and place in (1, 2) and all(map(self._is_place, stretch.named))

    def _is_taken(self, stretch: Stretch) -> bool:
        """Return whether things are only taken from somewhere: ``the egg out of the box``."""
        words = self.words[stretch.start : stretch.end]
        back = not (IT | THEM).isdisjoint(words)
        out = any(self._is_left(one) for one in stretch.named[not back :])
        out |= bool(stretch.named) and ((words[-2:-1] == ["off"] and back) or self._got_out(words))
        return out and not self._asked_in(stretch) and not self._goes_into(stretch)

    def _goes_into(self, stretch: Stretch) -> bool:
        """Return whether a stretch says where something shall go; ``it has to come off`` does not."""
        verbs = (*bases(), "come", "go", "be")
        return (
            any(
                self.words[n] in INTO and not (self.words[n] == "to" and after in verbs)
                for n, after in enumerate(
                    self.words[stretch.start + 1 : stretch.end], stretch.start
                )
            )
            or self.words[stretch.end - 1] in INTO
        )

    def _got_out(self, words: Sequence[str]) -> bool:
        """``get the pot out``: of where it is, for what comes next."""
        return "out" in (words[-1], *words[1:2]) and not _GETTING.isdisjoint(words[:2])

    def _place_at(self, stretch: Stretch) -> int | None:
        words = self.words[stretch.start : stretch.end]
        return next((n for n, w in enumerate(words) if w in INTO), None)

    def _asks(self, stretch: Stretch) -> bool:
        """Return whether a stretch asks for something of a thing, and says where what is moved shall go."""
        words = self.words[stretch.start : stretch.end]
        about = bool(stretch.named or stretch.theme) or not (IT | THEM | DOORS).isdisjoint(words)
        at = self._first_asking(stretch)
        if not about or at is None:
            return False
        moves = self.words[at] in moving() and not self._asked_in(stretch)
        return not moves or not (INTO | _AWAY | {"there"}).isdisjoint(
            self.words[at + 1 : stretch.end]
        )

    def _goes_on(self, stretch: Stretch, before: Stretch) -> bool:
        """Return whether a stretch lists more of what one is about: ``slice the egg, the apple``."""
        at = self._first_asking(before)
        first = at is not None and any(before.named) and all(at < n.start for n in before.named)
        return first and not stretch.begins and self._first_asking(stretch) is None

    def _first_asking(self, stretch: Stretch) -> int | None:
        """Return where a stretch says what is to be: by a verb, a state or a place."""
        return next(
            (at for at in range(stretch.start, stretch.end) if self._says(at, stretch)), None
        )

    def _says(self, at: int, stretch: Stretch) -> bool:
        """Return whether a word says what is to be."""
        word, inner = self.words[at], at > stretch.start
        ends = {one.end for one in stretch.named}
        noun = any(one.start <= at < one.end for one in stretch.named) or self._is_noun(at)
        turned = at in ends and (word in ("up", "down") or word.endswith("ed"))
        placed = word in INTO and (inner or bool(stretch.theme))
        return at in self.asked or placed or turned or (word in verbs() and not noun)

    def _is_noun(self, at: int) -> bool:
        return at > 0 and self.words[at - 1] in ("a", "an", "the", "my", "this", "that", "of")

    def _is_place(self, one: Named) -> bool:
        near = self.words[max(one.start - 3, 0) : one.start]
        return not (INTO | _BY).isdisjoint(near) or self._is_left(one)

    def _is_left(self, one: Named) -> bool:
        near = self.words[max(one.start - 3, 0) : one.start]
        return not _LEFT.isdisjoint(near) or ("out" in near and "of" in near)


def joined_stretches(one: Stretch, other: Stretch) -> Stretch:
    named = [*one.named, *other.named]
    return Stretch(one.start, other.end, one.begins, one.waits, named, one.theme)


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
