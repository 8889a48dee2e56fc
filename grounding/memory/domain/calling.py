"""What the things of a world are called, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from commonground.grounding.knowledge.files import spoken
from commonground.grounding.memory.domain.roles import Roles
from commonground.grounding.memory.names import Names, Words
from commonground.grounding.memory.names import words_of as name_words


class Calling:
    """The names of a world's things."""

    def __init__(self, names: Names, roles: Roles) -> None:
        self.names, self.roles = names, roles
        self.kinds = {thing.id: thing.kind for thing in names.things.values()}
        self.own_words = _OwnWords(names)

    @cached_property
    def _in_full(self) -> dict[str, dict[Words, list[str]]]:
        """What is called by several words, by the first of these."""
        found: dict[str, dict[Words, list[str]]] = {}
        for thing in self.kinds:
            words = self.own_words[thing]
            if len(words) > 1:
                found.setdefault(words[0], {}).setdefault(words, []).append(thing)
        return found

    def in_full(self, words: Sequence[str]) -> tuple[list[str], int]:
        """Return what words begin with the whole name of, however small its words are, and its length."""
        known = self._in_full.get(words[0], {}) if words else {}
        said = [name for name in known if (*words[: len(name)],) == name]
        name = max(said, key=len, default=())
        return known.get(name, []), len(name)

    def without_names(self, text: str) -> str:
        """Return a text without whole names of several words: ``Rome in a Week`` tells no time."""
        for names in self._in_full.values():
            for name in names:
                said = r"\W+".join(map(re.escape, name))
                text = re.sub(rf"\b{said}\b", "it", text, flags=re.IGNORECASE)
        return text

    @cached_property
    def _ids(self) -> dict[Words, str]:
        """What things go by whose names say it in other words: ``n1`` for the first north house."""
        found = {_plain(spoken(thing)): thing for thing in self.kinds}
        return {words: t for words, t in found.items() if words and words != self.own_words[t]}

    def id_words(self, thing: str) -> Words:
        """Return the words of a thing's id where its name says it in others."""
        words = _plain(spoken(thing))
        return words if self._ids.get(words) == thing else ()

    def is_person(self, thing: str) -> bool:
        """Return whether a thing is a person."""
        return self.roles.is_a(self.kinds[thing], self.roles.people)


class _OwnWords(dict[str, Words]):
    """The words of things' names, taken apart when they are asked for."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, thing: str) -> Words:
        self[thing] = found = _plain(self._names.things[thing].name)
        return found


def _plain(name: str) -> Words:
    words = tuple(w for w in name_words(name) if w != "'s")
    words = tuple(part for word in words for part in word.split("-"))
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words
