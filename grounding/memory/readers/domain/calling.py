"""What the things of a world are called, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from commonground.grounding.memory.ontology.name_words import Words
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.readers.domain.lookalikes import Kin, Kindred, is_numbered


class Calling:
    """The names of a world's things."""

    def __init__(self, names: Names, roles: Roles) -> None:
        self.names, self.roles = names, roles
        self.kinds, self.of_kind, self.of_kinds = names.kinds, names.of_kind, names.of
        self.own_words = {thing: name.own for thing, name in names.names.items()}
        self._people: dict[str, bool] = {}

    @cached_property
    def kindred(self) -> Kindred:
        """The things by how they are called."""
        others = {thing: words for words, thing in self._ids.items()}
        told = ((t.id, t.traits.get("called", "")) for t in self.names.things.values() if t.traits)
        return Kindred(self.kinds, self.own_words, others, dict(told))

    def comment(self, thing: str) -> str:
        """Return what comments call a thing besides its name."""
        return self.names.things[thing].traits.get("called", "")

    def in_full(self, words: Sequence[str]) -> tuple[list[str], int]:
        """Return what words begin with the whole name of, however small its words are, and its length."""
        of = {id(kin): kin for word in {*words} for kin in self._headed_by(word)}
        sizes = {len(kin.own) for kin in of.values()} if words else set()
        for size in sorted((n for n in sizes if 1 < n <= len(words)), reverse=True):
            found = self.called((*words[:size],))
            if found:
                return found, size
        return [], 0

    def _headed_by(self, word: str) -> Iterable[Kin]:
        """Return those who are called alike in whose names a word is."""
        if is_numbered(word):
            return self.kindred.among(self.kindred.numbered.get(word, ()))
        return self.kindred.words.get(word, ())

    def called(self, name: Words) -> list[str]:
        """Return the things of a name, of all its words and no others."""
        numbers = [w for w in name if is_numbered(w)]
        if numbers:
            few = min((self.kindred.numbered.get(w, []) for w in numbers), key=len)
            return [t for t in few if self.own_words[t] == name]
        of = [kin for kin in self.kindred.words.get(name[0], ()) if kin.own == name]
        return self.kindred.in_order(t for kin in of for t in kin.things)

    def without_names(self, text: str) -> str:
        """Return a text without whole names of several words: ``Rome in a Week`` tells no time."""
        said = {*_SAID.findall(text.lower()), "it"}
        names: dict[Words, None] = {}
        for word in said:
            for kin in self._headed_by(word):
                if len(kin.own) > 1 and {*kin.plain} <= said:
                    numbered = kin.own != kin.plain
                    things = self.kindred.numbered.get(word, ()) if numbered else (kin.first,)
                    names |= dict.fromkeys(
                        own for t in things if {*(own := self.own_words[t])} <= said and own[1:]
                    )
        for name in sorted(names, key=self._comes_first):
            pattern = r"\W+".join(map(re.escape, name))
            text = re.sub(rf"\b{pattern}\b", "it", text, flags=re.IGNORECASE)
        return text

    def _comes_first(self, name: Words) -> int:
        """Return where in the world the first thing of a name stands."""
        return self.kindred.order[self.called(name)[0]]

    @cached_property
    def _ids(self) -> dict[Words, str]:
        """What things go by whose names say it in other words: ``n1`` for the first north house."""
        return {name.other: thing for thing, name in self.names.names.items() if name.other}

    def id_words(self, thing: str) -> Words:
        """Return the words of a thing's id where its name says it in others."""
        words = self.names.names[thing].other
        return words if self._ids.get(words) == thing else ()

    def is_person(self, thing: str) -> bool:
        """Return whether a thing is a person."""
        kind = self.kinds[thing]
        known = self._people.get(kind)
        if known is None:
            known = self._people[kind] = self.roles.is_a(kind, self.roles.people)
        return known


_SAID = re.compile(r"[^\W_]+")
