"""The things that bear a noun, narrowed down to those that are meant, and how many of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from commonground.grounding.english.constructions import ALL
from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Phrase
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import MADE, likeness
from commonground.grounding.problem_writer.wishes.nouns import Noun
from commonground.grounding.problem_writer.wishes.things import Things, some_of
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.numbers import count_of, rank_of

_LEVELED = frozenset(["Drawer", "Shelf"])
"""Types of things that are levels themselves."""


@dataclass(slots=True)
class Pool:
    """Things that a phrase may mean."""

    home: Home
    noun: Noun
    said: str
    every: list[str]
    """All that bear the noun."""
    left: list[str]
    unknown: list[str] = field(default_factory=list)
    """Words that tell which, and that the house knows nothing of."""
    wanted: tuple[str, ...] = ()
    holding: tuple[Things, ...] = ()

    @classmethod
    def of(cls, home: Home, noun: Noun, said: str) -> Pool:
        """Return the things of a noun."""
        things = home.things(noun.types)
        return cls(home, noun, said, things, list(things), [noun.besides] if noun.besides else [])

    @property
    def names(self) -> str:
        """What is left, in words."""
        return ", ".join(self.left)

    # ---- which ------------------------------------------------------------------------------------

    def within(self, holders: Collection[str], place: str) -> None:
        """Keep what is in or on a place, or may be as far as anybody knows."""
        there = [*holders]
        inside = self.home.inside(self.left, there)
        unseen = (
            [n for n in self.left if self.home.graph.value(n, "in") is None] if there else self.left
        )
        if not inside and self.left and (not unseen or len(self.left) > 1):
            raise Unclear(
                f"I know of {self.names}, but not there: '{place}'. What is meant?", self.left
            )
        self.left = inside or self.left

    def without(self, out: Collection[str]) -> None:
        """Leave some things out."""
        self.left = [name for name in self.left if name not in out]

    def with_inside(self, held: Sequence[Things]) -> None:
        """Keep what holds something; where nothing does, that is wanted."""
        having = self.having(held)
        if having:
            self.left = having
        else:
            self.holding += tuple(held)

    def having(self, held: Sequence[Things]) -> list[str]:
        """Return what holds any of some things."""
        items = {name for things in held for name in self.home.things(things.words)}
        return [name for name in self.left if items & set(self.home.contents([name]))]

    def in_room(self, rooms: Collection[str], words: str) -> None:
        """Keep what is in a room, in houses that have rooms."""
        inside = [n for n in self.left if set(rooms) & set(self.home.graph.around(n))]
        if inside:
            self.left = inside
        else:
            self.unknown.append(words)

    def like(self, words: str) -> None:
        """Keep what is in a state; what the house does not know of has to be told apart otherwise."""
        state = likeness(words)
        fits = [
            name for name in self.left
            if state is not None and self.home.is_like(name, state.relation, state.value)
        ]  # fmt: skip
        if fits:
            self.left = fits
        elif state is not None and state.goal in MADE:
            self.wanted = (*self.wanted, state.goal)
        elif not self._numbered(words):
            self.unknown.append(words)

    def _numbered(self, words: str) -> bool:
        """Keep the one whose name has the number of a rank, if any has: ``the second drawer``."""
        rank = rank_of(words.casefold())
        fits = (
            [name for name in self.left if name.endswith(f"_{rank}")] if len(self.left) > 1 else []
        )
        self.left = fits or self.left
        return bool(fits)

    def with_number(self, phrase: Phrase) -> None:
        """Keep the thing with the number that stands behind the noun: ``lamp 2`` are not two lamps."""
        if is_number(phrase) and phrase.count is not None and not self._numbered(phrase.count.text):
            raise Unclear(f"Of {self.names}, which is '{self.said}'?", self.left)

    def on_level(self, phrase: Phrase) -> None:
        """Take note of a level; only drawers and shelves are levels themselves."""
        level, noun = phrase.level, phrase.noun
        before = level is not None and noun is not None and level.end <= noun.start
        if level is None or (before and self._numbered(level.text)):
            return
        if not _LEVELED & set(self.noun.types):
            raise Unclear(
                f"I do not know the levels of '{self.said}', so not '{level.text}'."
                " Is anywhere in or on it all right?"
            )
        self.unknown.append(level.text)

    def leave_out(self, out: Collection[str], words: str) -> None:
        """Leave out what is excepted, which has to be among the rest."""
        if self.noun.types and not set(out) & set(self.left):
            raise Unclear(f"I know of no '{words}' among these: {self.names}.")
        self.without(out)
        if not self.left:
            raise Unclear(f"Nothing is left without '{words}'.")

    # ---- how many ---------------------------------------------------------------------------------

    def chosen(self, phrase: Phrase) -> Things:
        """Return the things that are meant, or ask which."""
        if self.unknown and len(self.left) > 1:
            raise Unclear(
                f"I cannot tell which is '{self.said}': {self.names}. Nobody told me about"
                f" '{', '.join(self.unknown)}'. Which is meant?",
                self.left,
            )
        if self.every and not self.left:
            raise Unclear(f"I know of no '{self.said}' among {', '.join(self.every)}.", self.every)
        total = count_of(phrase.total.text) if phrase.total is not None else len(self.left)
        if total != len(self.left):
            raise Unclear(
                f"There are {len(self.left)}, not '{in_words(phrase.total)}': {self.names}."
            )
        return Things(
            self._options(phrase),
            self.said,
            self.noun.pieces,
            self.wanted,
            self.holding,
            phrase.det == "each",
        )

    def _options(self, phrase: Phrase) -> tuple[tuple[str, ...], ...]:
        """Return the choices that are left open; what nothing tells apart stays a type."""
        apart = phrase.but is not None or len(self.left) < len(self.every)
        words = tuple(self.left) if apart and self.left else self.noun.types
        count = amount_of(phrase)
        if count is not None and count > 1:
            return self._some(count, words, phrase)
        if self._means_all(phrase):
            return (tuple(self.left) or words,)
        if self.noun.alike and len(words) > 1 and phrase.det == "the":
            raise Unclear(f"Which is meant by '{self.said}': {' or '.join(words)}?", self.left)
        return tuple((word,) for word in words)

    def _means_all(self, phrase: Phrase) -> bool:
        plural = phrase.det == "the" and self.noun.many and phrase.count is None
        return phrase.det in ALL or plural or phrase.but is not None

    def _some(
        self, count: int, words: tuple[str, ...], phrase: Phrase
    ) -> tuple[tuple[str, ...], ...]:
        """Return the choices of so many, of different types where there are enough."""
        if phrase.det == "both" and len(self.left) != 2:
            raise Unclear(
                f"There are {len(self.left)}, not both: {self.names}. Which two?", self.left
            )
        if phrase.det not in ALL and len(words) >= count:
            return some_of(count, words, self.said)
        return some_of(count, self.left, self.said)


def amount_of(phrase: Phrase) -> int | None:
    """Return how many are meant, where that was said."""
    if phrase.count is None or is_number(phrase):
        return 2 if phrase.det in ("both", "the two", "any two") else None
    number = count_of(phrase.count.text)
    if number is None:
        raise Unclear(f"How many is '{phrase.count.text}'?")
    return number


def is_number(phrase: Phrase) -> bool:
    """Return whether a number stands behind its noun, and is the number of a thing."""
    count, noun = phrase.count, phrase.noun
    behind = count is not None and noun is not None and noun.end <= count.start
    return behind and count is not None and count.text.isdigit()
