"""The things that a command names and that a wish has nothing to do with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.utterance import Span
from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Named
from commonground.grounding.problem_writer.wishes.home import LIGHTS, WORK
from commonground.grounding.problem_writer.wishes.where import BESIDE, IN, WARM, Where
from commonground.grounding.words.nouns import words_of as listed
from commonground.planning.pddl.strata import literals

EXCEPT = frozenset(listed("except excepting excluding besides bar barring"))
SPARING = NEGATIONS | frozenset(
    listed(
        "leave keep stay stays remain remains alone avoid untouched undisturbed whole intact only but "
        "skip forget ignore omit disregard"
    )
)
"""Without any of these nothing is forbidden."""
EVERY = frozenset(
    listed("nothing nobody none no all every everything each both any anything anywhere everywhere")
)
_WHICH = frozenset(listed("one ones everything all anything whatever pair things is 's are"))
_DONE_BY = {"CLEAN": ("wash",)} | dict.fromkeys(WARM, ("cook", "toast"))
"""What is done to things that come to be in a state."""


class Untouched(Where):
    """The things of one command, held against wishes."""

    def untouched(self, wish: Wish, heard: Sequence[Span] = ()) -> Iterator[str]:
        """Yield the things that a wish does not touch, but for what was heard and what is left."""
        return (self._written(one) for one in self._untouched(wish, heard))

    def is_left(self, one: Named, wish: Wish) -> bool:
        """Return whether a wish has nothing to do with what is carried, switched or opened."""
        types = sorted(one.types)
        used = any(
            self.home.usually(types, can) for can in ("pickupable", "toggleable", "openable")
        )
        return used and self._touched(wish).isdisjoint(self.lit(one))

    def _written(self, one: Named) -> str:
        return " ".join(self.written(one.start, one.end))

    def written(self, start: int, end: int) -> list[str]:
        """Return words as they were written."""
        return [token.text for token in self.tokens[start:end]]

    def _untouched(self, wish: Wish, heard: Sequence[Span]) -> Iterator[Named]:
        touched = self._touched(wish)
        left = {place.start for place in self.named if self._is_left_of(place)}
        left |= {place.start for one, place in self._pairs(IN) if self.is_there(one, place)}
        left |= {near.start for one, near in self._pairs(BESIDE)}
        left |= {place.start for place in self.named if self._tells_which(place)}
        for one in self.named:
            known = one.start in left or self._is_excepted(one)
            known = known or self.acts.told[one.start] or self._is_heard(one, heard)
            if not (known or touched & self.lit(one)):
                yield one

    def _tells_which(self, place: Named) -> bool:
        """Return whether a place only tells things apart: ``the one on the desk``, ``all that is on it``."""
        before = [
            w for w in self.words[max(place.start - 4, 0) : place.start] if w not in DETERMINERS
        ]
        return before[-1:] != before and before[-1] in IN and before[-2] in _WHICH

    def _touched(self, wish: Wish) -> set[str]:
        """Return the types that a wish has to do with; where something is done goes without saying."""
        words = {w for goal in (wish.goal, *wish.before) for w in words_of(goal)}
        touched = set(map(self.home.type_of, words | {fact.subject for fact in wish.spared}))
        states = {atom.args[-1] for atom, _ in literals(wish.goal)}
        done = {verb for state, verbs in _DONE_BY.items() if state in states for verb in verbs}
        return touched | {kind for kind, verb in WORK.items() if verb in done}

    def _is_excepted(self, one: Named) -> bool:
        """Return whether a thing is left out of all: ``every lamp but the desk lamp``."""
        before = [w for w in self.words[max(one.start - 4, 0) : one.start] if w not in DETERMINERS]
        if before[-1:] and before[-1] in IN:  # ``anywhere but on the table``
            del before[-1]
        every = not EVERY.isdisjoint(self.words[: one.start])
        apart = before[-2:-1] in (["apart"], ["aside"]) and before[-1] == "from"
        return bool(before) and (apart or before[-1] in EXCEPT or (before[-1] == "but" and every))

    def is_exception(self, at: int) -> bool:
        """Return whether a word says that something is left out: ``except``, ``apart`` from."""
        word, after = self.words[at], self.words[at + 1 : at + 2]
        if word == "bar":  # no ``bar of soap``
            return not DETERMINERS.isdisjoint(after)
        return word in EXCEPT or (word in ("apart", "aside") and after == ["from"])

    def _is_heard(self, one: Named, heard: Sequence[Span]) -> bool:
        """Return whether a thing was heard."""
        first, last = self.tokens[one.start].start, self.tokens[one.end - 1].end
        return any(first < span.end and last > span.start for span in heard)

    def lit(self, one: Named) -> frozenset[str]:
        """Return what may be switched for a thing: for ``more light``, any lamp."""
        lamps = LIGHTS if self.words[one.start : one.end] == ["light"] else ()
        return self._switched(one.types) | frozenset(lamps)

    def _switched(self, types: frozenset[str]) -> frozenset[str]:
        lamps = frozenset(LIGHTS) if types & set(LIGHTS) and len(types) > 1 else frozenset()
        return (
            types | lamps | {self.home.type_of(name) for name in self.home.switches(sorted(types))}
        )
