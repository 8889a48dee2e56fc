"""What a noun phrase of a sentence was read as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from commonground.grounding.memory.ontology.words import Word
from commonground.grounding.words.nouns import singulars

_GENERAL = [("everything",), ("anything",), ("whatever",), ("thing",), ("things",), ("stuff",)]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase with the things that all of its words may speak of."""

    words: tuple[str, ...]
    things: Mapping[str, int] = field(default_factory=dict)
    """What may be meant, and how directly."""
    every: bool = False
    rank: int | None = None
    """One of several in a row."""
    pronoun: str = ""
    owner: bool = False
    """``'s`` follows, or it is ``its``."""
    owners: tuple[Phrase, ...] = ()
    """Whose it is."""
    other: bool = False
    """It is none of those spoken of last: ``the other tray``."""
    only: bool = False
    """It is the one such thing there: ``the only tray``."""
    bare: bool = False
    """It has no noun of its own: ``the green one``."""
    like: bool = False
    """Its noun only names something like what is meant, so that not all of these may be found."""
    source: tuple[str, ...] = ()
    """The words of the sentence it was read from, articles included."""

    @property
    def text(self) -> str:
        """Return the words as they were said."""
        return " ".join((*(w for o in self.owners for w in o.words), *self.words))

    @property
    def is_plural(self) -> bool:
        """Return whether its noun stands for several."""
        return bool(self.things) and any(f != self.words[-1] for f in singulars(self.words[-1]))

    @property
    def is_general(self) -> bool:
        """Return whether it stands for all things, whatever they are: ``everything``, ``all the stuff``."""
        return self.every and self.words[-1:] in _GENERAL

    @property
    def is_group(self) -> bool:
        """Return whether it is a pronoun for several."""
        return self.pronoun in ("they", "them")


Part: TypeAlias = Word | Phrase


def text_of(part: Part | None) -> str:
    """Return a word; '' for a phrase."""
    return part.text if isinstance(part, Word) else ""


def text_at(parts: Sequence[Part], at: int) -> str:
    """Return the word at a place; '' for a phrase, and outside."""
    return text_of(parts[at]) if 0 <= at < len(parts) else ""
