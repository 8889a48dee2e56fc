"""What a text puts first, last or in between is put there by its meaning: ``the flag and O7, O7 first``.

A word of rank stands between marks with what it ranks, or alone before it. What it ranks has to come
before or after something in the meaning, and on no other side of what else is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.tokens import stretch
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.order import is_then, taken_up
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.meaning import (
    AVOIDING,
    TOLD,
    Act,
    Plan,
    Relation,
    Task,
    Thing,
    things_in,
)
from commonground.grounding.words.closed import ENDS
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.vocabulary import FUNCTION_WORDS

_CUES = frozenset(
    ["FIRST", "START_BY", "LAST", "VIA", "ON_WAY", "BEFORE", "AFTER", "ONCE", "HAVE_DONE"]
)
_RANKS, _LATER = frozenset(["FIRST", "START_BY", "LAST"]), frozenset(["AFTER", "ONCE", "HAVE_DONE"])
_LED = dict.fromkeys(word_set("start starts starting begin begins beginning"), 1) | dict.fromkeys(
    word_set("end ends ending finish finishes finishing"), -1
)
_LEADING = frozenset(["with", "by", "at", "from"])
"""``starting with the red one``."""
_NUMBERS = ("second", "third", "fourth", "fifth")
_JOINTS = ENDS | word_set(", : ( ) and but though although then while plus")
_CHOOSING = word_set("the a an my our your its their this that these those each every")
"""Before ``first`` and ``last`` these have them tell which one: ``the first bench``."""
_ONWARD = word_set("to into onto towards toward")
_BY = word_set("after before without by of for not never avoid avoiding no until while than")
"""Before what is gone through these tell of something else than a way."""
_NO_TIME = word_set("on upon following when whenever look")
_WHICHEVER = frozenset(["whichever", "whatever", "what"])
"""Beside a rank these leave the order free."""
_NAMELESS = frozenset(["here"])
"""What only a robot's own place is called by."""


Unit = tuple[Act, Thing]
"""A thing with what is done to it."""


class Ranked(NamedTuple):
    """What a text puts first (1), last (−1), in between (0), or in some later turn (2, 3, …)."""

    words: str
    turn: int
    what: frozenset[str]
    """The words of what has that turn."""
    than: frozenset[str] = frozenset()
    """What it comes before, where that is told; else something that its sentence names."""
    alone: bool = False
    """Nothing else needs to be named: ``first, go in``."""

    @property
    def is_end(self) -> bool:
        """Whether that may only be where a robot ends: ``finally the shed``, not ``ending with it``."""
        return self.turn == -1 and not self.words.endswith("with")


def wrong_ranks(held: Held) -> Iterator[str]:
    """Yield what a text puts first, last or in between, and its meaning does not."""
    units, earlier = _ordered(held)
    called = {word for _, thing in units for word in _described(thing)}
    for one in _Ranks(held, called).all():
        what = _meant(one.what, units)
        others = {*(_meant(one.than, units) if one.than else range(len(units)))} - {*what}
        named = what and (others or not (one.alone or one.than))
        if named and not _fits(one, [units[k] for k in what], _sides(what, others, earlier)):
            yield f"the text says '{one.words}' of {' '.join(sorted(one.what))}, and the answer does not"


def _sides(
    what: Collection[int], others: Collection[int], earlier: Collection[tuple[int, int]]
) -> tuple[int, int]:
    """Return how many others come before some things, and how many after them."""
    before = {a for a, b in product(others, what) if (a, b) in earlier}
    return len(before), len({b for a, b in product(what, others) if (a, b) in earlier})


def _fits(one: Ranked, what: Sequence[Unit], sides: tuple[int, int]) -> bool:
    before, after = sides
    if one.turn == 1:
        return after > 0 and not before
    if one.turn == -1:
        ends = one.is_end and all(act.do == "be" for act, _ in what)
        return (before > 0 or ends) and not after
    return before >= max(1, one.turn - 1) and (after > 0 or one.turn > 0)


# ---- what the text says --------------------------------------------------------------------------


class _Ranks:
    """The words of rank in a text, with what they rank: words that its meaning calls things by."""

    def __init__(self, held: Held, called: Collection[str]) -> None:
        self.held, self.called = held, called
        self.verbs = {held.at(one) for one in held.phrases(DEEDS)}

    def all(self) -> Iterator[Ranked]:
        """Yield what a text puts somewhere in the order."""
        said = {self.held.at(one): one for one in self.held.phrases(_CUES)}
        for at in range(len(self.held.words)):
            if self._ranks_nothing(at):
                continue
            kinds = {kind for kind, _ in said[at].senses} if at in said else set()
            end = at + len(said[at].words.split()) if at in said else at + 1
            place = self._place(at, end, kinds)
            if place is not None:
                yield from self._ranked(at, *place)
            else:
                yield from self._on_a_way(at, end, kinds)

    def _ranks_nothing(self, at: int) -> bool:
        """Return whether a word is a noun, or the order is left free beside it: ``to the start``."""
        free = not _WHICHEVER.isdisjoint(self.held.words[slice(*self._stretch(at))])
        return free or (self.held.words[at] in _LED and self.held.word(at - 1) in _CHOOSING)

    def _place(self, at: int, end: int, kinds: Collection[str]) -> tuple[int, int] | None:
        """Return where words of rank end, and which turn they tell."""
        held, word = self.held, self.held.words[at]
        back = taken_up(held, end - 1) if "BEFORE" in kinds else at
        if back >= end:
            return back, 1
        if word in _LED and held.word(at + 1) in _LEADING:
            return at + 2, _LED[word]
        if word == "in" and held.word(at + 1) == "between" and self._is_over(at + 2):
            return at + 2, 0
        if word in _NUMBERS and held.word(at - 1) not in _CHOOSING and self._is_over(at + 1):
            return at + 1, 2 + _NUMBERS.index(word)
        ranks = not _RANKS.isdisjoint(kinds) and self._ranks(at, end)
        return (end, -1 if "LAST" in kinds else 1) if ranks else None

    def _on_a_way(self, at: int, end: int, kinds: Collection[str]) -> Iterator[Ranked]:
        held, word = self.held, self.held.words[at]
        if "ON_WAY" in kinds:
            yield from self._led_to(at, end)
        elif word == "way" and held.word(at - 2) in ("on", "along") and held.word(end) != "to":
            yield from self._on_the_way(at)
        elif "VIA" in kinds and held.word(at - 1) not in _BY:
            yield from self._through(at, end)
        elif not _LATER.isdisjoint(kinds) and word not in _NO_TIME and not is_then(held, at):
            yield from self._after(at, end)

    def _ranked(self, at: int, end: int, turn: int) -> Iterator[Ranked]:
        held, (begin, stop) = self.held, self._stretch(at)
        words = " ".join(held.words[at:end])
        what = self._content([*range(begin, at), *range(end, stop)])
        first, last = held.sentence(at)
        before = self._nearest(range(begin - 1, first - 1, -1))
        opens = not what
        what = what or self._nearest(range(stop, last)) or before
        if what:
            yield Ranked(words, turn, what, alone=opens or not before)

    def _ranks(self, at: int, end: int) -> bool:
        """Return whether ``first`` and the like tell a turn: ``the first bench`` and ``first aid`` do not."""
        held, word = self.held, self.held.word(end)
        if held.word(at - 1) in _CHOOSING and end == at + 1:
            return False
        free = (
            self._is_over(end) or word in FUNCTION_WORDS or end in self.verbs or held.is_robot(word)
        )
        named = any(map(str.isdigit, word)) or held.word(at - 1) in self.called
        return (free or named or end > at + 1) and word not in ("of", "up")

    def _is_over(self, at: int) -> bool:
        return self.held.word(at) in _JOINTS | {""}

    def _led_to(self, at: int, end: int) -> Iterator[Ranked]:
        """``on your way to the shed check the car``, ``check the car on your way to the shed``."""
        begin, stop = self._stretch(at)
        verb = next((k for k in range(end, stop) if k in self.verbs), stop)
        than, last = self._content(range(end, verb)), self.held.sentence(at)[1]
        what = self._content([*range(begin, at), *range(verb, stop)])
        what = what or self._nearest(range(begin - 1, -1, -1)) or self._nearest(range(stop, last))
        if than and what:
            yield Ranked("on the way", 1, what, than)

    def _on_the_way(self, at: int) -> Iterator[Ranked]:
        """``go to the shed and check the car on the way``, ``…, and on the way check the car``."""
        begin, stop = self._stretch(at)
        last = self.held.sentence(at)[1]
        what, than = self._content(range(begin, stop)), self._nearest(range(begin - 1, -1, -1))
        what = what or self._nearest(range(stop, last))
        if what and than:
            yield Ranked("on the way", 1, what, than)

    def _after(self, at: int, end: int) -> Iterator[Ranked]:
        """``check the car after the shed``, ``after the shed, check the car``, ``go back after the shed``."""
        begin, stop = self._stretch(at)
        named = next((k for k in range(end, stop) if self._content([k])), stop)
        verb = next((k for k in range(named, stop) if k in self.verbs), stop)
        what, last = self._content(range(end, verb)), self.held.sentence(at)[1]
        than = self._content([*range(begin, at), *range(verb, stop)])
        if not than and at == begin:
            than = self._nearest(range(stop, last)) or self._nearest(range(begin - 1, -1, -1))
        if what:
            yield Ranked(self.held.words[at], 1, what - than, than | _NAMELESS)

    def _through(self, at: int, end: int) -> Iterator[Ranked]:
        """``to the shed via the lawn``, ``via the lawn to the shed``."""
        begin, stop = self._stretch(at)
        onward = next((k for k in range(end, stop) if self.held.words[k] in _ONWARD), stop)
        what = self._content(range(end, onward)) or self._nearest(range(onward, stop))
        than = self._content([*range(begin, at), *range(onward, stop)])
        if not than and at == begin and self.held.word(at - 1) == ",":
            than = self._nearest(range(begin - 1, -1, -1))
        if what and than:
            yield Ranked(" ".join(self.held.words[at:end]), 1, what, than)

    def _nearest(self, places: Iterable[int]) -> frozenset[str]:
        """Return the words of what is named next, on one side of something."""
        at = next((k for k in places if self._content([k])), None)
        return frozenset() if at is None else self._content(range(*self._stretch(at)))

    def _stretch(self, at: int) -> tuple[int, int]:
        """Return from where to where the words between two marks or joints around one reach."""
        return stretch(self.held.words, at, _JOINTS)

    def _content(self, places: Iterable[int]) -> frozenset[str]:
        words = (self.held.words[k].casefold() for k in places)
        forms = (form for word in words for form in (word, *singulars(word)))
        return frozenset(form for form in forms if form in self.called)


# ---- what the meaning says -----------------------------------------------------------------------


def _ordered(held: Held) -> tuple[list[Unit], set[tuple[int, int]]]:
    """Return what is done to which things, and which of that is done before which."""
    units: list[Unit] = []
    earlier: set[tuple[int, int]] = set()

    def walk(task: Task) -> list[int]:
        if isinstance(task, Plan):
            parts = [walk(one) for one in task.tasks] if task.order != "not" else []
            if task.order == "sequence":
                earlier.update(
                    p
                    for k, part in enumerate(parts)
                    for later in parts[k + 1 :]
                    for p in product(part, later)
                )
            return [k for part in parts for k in part]
        here = [*things_in(task.what)] if task.do not in (*TOLD, *AVOIDING) else []
        units.extend((task, thing) for thing in here)
        return [*range(len(units) - len(here), len(units))]

    row: list[int] = []
    for one in held.meaning.assignments:
        own = walk(one.task)
        earlier.update(product(row, own) if one.then else ())
        row = [*(row if one.then else ()), *own] if own else row
    return units, earlier


def _meant(words: frozenset[str], units: Sequence[Unit]) -> list[int]:
    """Return which things some words name: those that share the most of them."""
    shared = [len(words & {*_described(thing)}) for _, thing in units]
    most = max(shared, default=0)
    return [k for k, number in enumerate(shared) if most and number == most]


def _described(what: Thing) -> Iterator[str]:
    """Yield the words that tell which thing is meant, but for those of what is excepted."""
    for word in (
        *what.noun.casefold().split(),
        *what.color.split(),
        *what.trait.split(),
        *what.ids,
    ):
        yield from (word.casefold(), *singulars(word.casefold()))
    if what.of == "here":
        yield from _NAMELESS
    for relation in what.where:
        yield from _of_relation(relation)
    for among in things_in(what.among) if what.among is not None else ():
        yield from _described(among)


def _of_relation(relation: Relation) -> Iterator[str]:
    yield relation.how
    for anchor in relation.to:
        for thing in parts_of(anchor, Thing):
            yield from _described(thing)
