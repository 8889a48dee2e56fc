"""What a command leaves out of all, held against wishes: ``every lamp but the desk lamp``."""

from __future__ import annotations

from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Named
from commonground.grounding.problem_writer.wishes.untouched import EVERY, Untouched
from commonground.grounding.problem_writer.wishes.where import IN
from commonground.grounding.words.numbers import rank_of

_LISTING = DETERMINERS | {"and", "or", ","}


class Excepted(Untouched):
    """The exceptions of one command."""

    def _takes_excepted(self, at: int, wish: Wish, named: set[str]) -> bool:
        """Return whether a word leaves out what a wish may be about, that names some things."""
        all_of_some = self._excepts_one(at) and self._all_of_some(named)
        return (
            all_of_some
            or self._takes_what_is_left(at, wish)
            or self._excepts_one_before_a_place(at)
        )

    def _takes_what_is_left(self, at: int, wish: Wish) -> bool:
        """Return whether a wish is about what is left out of all: ``every lamp but the desk lamp``."""
        if not (self.words[at] == "but" or self.is_exception(at)):
            return False
        about = {self.home.type_of(w) for w in words_of(wish.goal)}
        out = self._excepted_at(at)
        others = [one.types for one in self.named if one not in out]
        again = {
            kind for one in self.named if one.start > at and one not in out for kind in one.types
        }
        return any(
            not about.isdisjoint(one.types) and again.isdisjoint(one.types)
            for one in out
            if one.types not in others
        )

    def _excepted_at(self, at: int) -> list[Named]:
        """Return the things that are excepted there, all that are listed: ``but the pot and the pan``."""
        found = [one for one in self.named if at < one.start <= at + 3 and self._is_excepted(one)][
            :1
        ]
        for one in self.named:
            between = self.words[found[-1].end : one.start] if found else []
            if between and _LISTING.issuperset(between):
                found.append(one)
        return found

    def _excepts_one(self, at: int) -> bool:
        """Return whether a word leaves out one of all: ``except``, ``every drawer but the first``."""
        after = self.words[at + 1 : at + 3]
        ranked = any(rank_of(word) is not None for word in after)
        named = any(at < one.start <= at + 2 for one in self.named)
        every = not EVERY.isdisjoint(self.words[:at]) and not DETERMINERS.isdisjoint(after)
        return self.is_exception(at) or (self.words[at] == "but" and every and (ranked or named))

    def _excepts_one_before_a_place(self, at: int) -> bool:
        """``every cup but the dirty one in the sink``: where the others go, or which one it is."""
        behind = [w for w in self.words[at + 1 : at + 5] if w not in DETERMINERS]
        one = bool(behind[1:]) and behind[1] in ("one", "ones") and not IN.isdisjoint(behind[2:3])
        every = not EVERY.isdisjoint(self.words[:at])
        return one and every and (self.words[at] == "but" or self.is_exception(at))

    def _all_of_some(self, named: set[str]) -> bool:
        """Return whether every one of several things of a type is named."""
        return any(set(self.home.things([kind])) <= named for kind in self._several())

    def _several(self) -> set[str]:
        """Return the types that a command names and of which there are several."""
        types = {kind for one in self.named for kind in one.types}
        return {kind for kind in types if len(self.home.things([kind])) > 1}
