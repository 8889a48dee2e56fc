"""What is generally known of household things: words, groups, where they are found, what takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.settings import Settings

Names = Annotated[str, Field(min_length=1)]


class Kind(Settings):
    """A type of object."""

    words: tuple[Names, ...] = ()
    """What people call it, besides its name written as words; plurals are understood."""
    found: tuple[str, ...] = ()
    """Types of places where it is usually kept, likeliest first."""
    can: tuple[str, ...] = ()
    """Affordances such a thing usually has."""


class Kinds(Settings):
    """A file of general knowledge; users may replace or extend it."""

    types: dict[str, Kind]
    groups: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Word for several types: types or other groups."""
    short: dict[str, str] = Field(default_factory=dict)
    """Further words for groups."""
    takes_only: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Receptacles that take only some types."""
    refuses: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Receptacles that do not take some types."""
    cracks: tuple[str, ...] = ()
    """Break but stay in one piece; other breakable things shatter."""
    stoveware: tuple[str, ...] = ()
    drinkware: tuple[str, ...] = ()
    cookable_slices: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()
    """No places to put things away to."""

    @classmethod
    def load(cls, file: str | Path | None = None) -> Kinds:
        """Return the knowledge of a file, or of the one that comes with the program."""
        return _own() if file is None else cls._read(str(file))

    @classmethod
    def _read(cls, path: str) -> Kinds:
        values, lines = read_yaml(path)
        return validated(cls, values, {k: f"{path}:{line}" for k, line in lines.items()}, path)

    def members(self, group: str) -> tuple[str, ...]:
        """Return the types of a group, groups in it resolved."""
        found: dict[str, None] = {}
        for member in self.groups.get(group, ()):
            found |= dict.fromkeys(self.members(member) if member in self.groups else (member,))
        return tuple(found)

    def takes(self, receptacle: str, item: str) -> bool:
        """Return whether a type of receptacle takes a type of thing."""
        only = self.takes_only.get(receptacle)
        if only is not None:
            return item in only
        return item not in self.refuses.get(receptacle, ())

    def likely_places(self, kind: str) -> tuple[str, ...]:
        """Return where a type of thing is usually kept."""
        known = self.types.get(kind.removesuffix("Sliced"))
        return known.found if known is not None else ()

    def usual(self, kind: str) -> frozenset[str]:
        """Return the affordances a type of thing usually has."""
        known = self.types.get(kind)
        return frozenset(known.can) if known is not None else frozenset()

    @cached_property
    def shattering(self) -> frozenset[str]:
        """Types that go to pieces."""
        return frozenset(
            name
            for name, kind in self.types.items()
            if "breakable" in kind.can and name not in self.cracks
        )


@lru_cache(8192)
def spaced(name: str) -> str:
    """Return ``coffee machine`` for ``CoffeeMachine``."""
    out = ""
    for i, letter in enumerate(name):
        new = letter.isupper() and i > 0 and not name[i - 1].isupper()
        out += (" " if new else "") + letter.lower()
    return out


def instances(kinds: Iterable[str], types: Mapping[str, str]) -> list[str]:
    """Return the things of any of some types."""
    wanted = set(kinds)
    return [name for name, kind in types.items() if kind in wanted]


@cache
def _own() -> Kinds:
    """Return the knowledge that comes with the program."""
    return Kinds._read(str(files(__package__).joinpath("data/kinds.yaml")))
