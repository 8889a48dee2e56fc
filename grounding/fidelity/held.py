"""A text held against a meaning of it: what the checks ask of either is found once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import WANTING
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.meaning import AVOIDING, TOLD, Act, Instruction, Plan, Task, Thing
from commonground.grounding.words.closed import BE, HAVE, TAKING_UP
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.tokens import tokenize

T = TypeVar("T")

_BEING = BE | HAVE | {"'s", "'m", "'ve"}
_MEANT = TAKING_UP | word_set("you your yours one ones those these both robot robots")
_WANTED = WANTING - {"like", "can", "could", "to"} | {"let"}


class Held(Wording):
    """A text beside a meaning of it, whatever that is of."""

    def __init__(
        self,
        meaning: Instruction,
        text: str,
        robots: Sequence[str] = (),
        counted: Collection[int] = (),
    ) -> None:
        super().__init__(tokenize(text), robots)
        self.meaning = meaning
        self.text = text
        self.counted = counted
        """How many things the goals of the meaning come to."""
        self.sides = [*with_sides(meaning)]
        """Every act that is more than talk, and whether it is what must not be done."""
        self.acts = [act for act, kept_out in self.sides if not kept_out]

    @cached_property
    def apart(self) -> Held:
        """The same with blanks for robots that are only told apart: ``Anna, not Bert``."""
        return Held(self.meaning, without_others(self.text, self.robots), self.robots)

    @cached_property
    def spoken(self) -> list[str]:
        """The words as the learned reader takes them apart."""
        return [token.text.casefold() for token in tokens_of(self.text)]

    def names_thing(self, at: int) -> bool:
        """Return whether a word is a symbol, or what something is called in the meaning."""
        return self.is_symbol(at) or not self._nouns.isdisjoint(singulars(self.words[at]))

    def only_tells(self, offset: int) -> bool:
        """Return whether the sentence there says how something is that is not meant, and wants nothing."""
        at = next((k for k, t in enumerate(self.tokens) if t.end > offset), len(self.tokens) - 1)
        places = range(*self.sentence(at))
        words = {self.words[k] for k in places}
        named = not words.isdisjoint(_MEANT) or any(
            self.names_thing(k) or self.is_robot(self.words[k]) for k in places
        )
        return not (named or words.isdisjoint(_BEING) or not words.isdisjoint(_WANTED))

    @cached_property
    def _nouns(self) -> frozenset[str]:
        return frozenset(form for noun in nouns_of(self.meaning) for form in singulars(noun))

    def parts(self, kind: type[T]) -> Iterator[T]:
        """Yield the parts of one type that the meaning has."""
        return parts_of(self.meaning, kind)


def with_sides(what: Instruction | Task) -> Iterator[tuple[Act, bool]]:
    """Yield every act that is more than talk, and whether it is what must not be done."""
    tasks = [one.task for one in what.assignments] if isinstance(what, Instruction) else [what]
    return _with_sides(tasks, kept_out=False)


def _with_sides(tasks: Iterable[Task], *, kept_out: bool) -> Iterator[tuple[Act, bool]]:
    for task in tasks:
        if isinstance(task, Plan):
            yield from _with_sides(task.tasks, kept_out=kept_out or task.order == "not")
        elif task.do not in TOLD:
            yield task, kept_out or task.do in AVOIDING


def wanted_acts(what: Instruction | Task) -> list[Act]:
    """Return every act that is to be done, without what is kept away from or only said."""
    return [act for act, kept_out in with_sides(what) if not kept_out]


def nouns_of(value: Any) -> Iterator[str]:
    """Yield the last words of what things are called."""
    for thing in parts_of(value, Thing):
        yield from thing.noun.lower().split()[-1:]


def without_others(text: str, robots: Sequence[str]) -> str:
    """Return a text with blanks for robots that are only told apart: ``Anna, not Bert``."""
    for name in robots:
        pattern = rf"\b(?:not|rather than|instead of)\s+{re.escape(name)}\b"
        text = re.sub(pattern, lambda found: " " * len(found[0]), text, flags=re.IGNORECASE)
    return text
