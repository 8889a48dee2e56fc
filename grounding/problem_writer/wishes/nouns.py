"""Nouns of a house: which types of things words may mean there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from commonground.grounding.english.names import Names
from commonground.grounding.problem_writer.goals import SLICED
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kind, Kinds, spaced
from commonground.grounding.words.concepts import ClassIndex, artifacts, everyday
from commonground.grounding.words.nouns import is_plural, singulars, words_of

_PARTICLES = frozenset(["back", "over", "down", "up", "out", "away", "again"])
"""Behind a noun these belong to the verb: ``the remote back on the sofa``."""
_PIECES = frozenset(
    words_of("slice piece half chunk quarter wedge cube strip bit hunk sliver slab part")
)
"""Words for what is left of a thing when it has been cut."""
MEASURES = frozenset(
    words_of(
        "bar bunch clove ear gallon head loaf pair piece pot roll set sheet stick tube carton tin"
    )
)
"""Words for how much of something: ``head of lettuce`` is lettuce."""
ALL_OF_THEM = frozenset(
    words_of(
        "cutlery silverware crockery tableware cookware stationery electronics clothes laundry jewelry "
        "produce food"
    )
) | {"sports equipment", "sports gear", "gym equipment", "reading material"}
"""Words for all things of a group: ``put the cutlery in the sink``."""

_TAXONOMIES = (everyday, artifacts)


@dataclass(frozen=True, slots=True)
class Noun:
    """What a noun may mean."""

    types: tuple[str, ...] = ()
    """Alternatives; where some of them are in the house, only those."""
    many: bool = False
    """Said in the plural, or of all things of a group."""
    pieces: bool = False
    """What has been cut off; of no types: off what was cut last."""
    besides: str = ""
    """Words that tell which and mean nothing to the house: ``guest`` of ``guest towel``."""
    alike: bool = False
    """Not a word for these types, only near in meaning."""


@dataclass(slots=True)
class _Entry:
    """The types that one phrase stands for."""

    types: dict[str, None] = field(default_factory=dict)
    members: dict[str, None] = field(default_factory=dict)
    """Types of the group that it stands for."""


class Nouns:
    """The nouns for the types of one house, and for types that it may yet turn out to have."""

    def __init__(self, kinds: Kinds, present: Iterable[str]) -> None:
        self.present = frozenset(kind.removesuffix(SLICED) for kind in present)
        self._entries: dict[str, _Entry] = {}
        for name, kind in kinds.types.items():
            for word in (*kind.words, spaced(name)):
                self._entry(word).types[name] = None
        for group in kinds.groups:
            self._entry(group).members |= dict.fromkeys(kinds.members(group))
        for short, group in kinds.short.items():
            self._entry(short).members |= dict.fromkeys(kinds.members(group))

    def _entry(self, word: str) -> _Entry:
        return self._entries.setdefault(plain(word), _Entry())

    def all(self) -> Iterable[str]:
        """Return every phrase for anything that may be in a house."""
        return self._entries

    def here(self) -> list[str]:
        """Return every phrase for what is in the house."""
        return [
            words for words, entry in self._entries.items() if self.present & entry.types.keys()
        ]

    @cached_property
    def said(self) -> Names:
        """Every phrase for what is in the house, or for groups of it."""
        there = (
            words for words, e in self._entries.items() if self.present & {*e.types, *e.members}
        )
        return Names({"noun": there})

    @cached_property
    def unseen(self) -> Names:
        """Every phrase for what is not known to be in the house: it may turn up."""
        kinds = ((words, e.types.keys()) for words, e in self._entries.items())
        return Names(
            {"noun": (w for w, types in kinds if types and self.present.isdisjoint(types))}
        )

    # ---- looking up -------------------------------------------------------------------------------

    def find(self, text: str) -> Noun | None:
        """Return what a noun means here, or None if nobody knows."""
        words = plain(text)
        found = self._of(words) or self._exact(words)
        if found is None or (found.types and self.present.isdisjoint(found.types)):
            found = self.head(words) or found
        found = found or self._alike(words) or self._shorter(words)
        if found is not None:
            return found
        head, _, last = words.rpartition(" ")
        return self.find(head) if head and last in _PARTICLES else None

    def named(self, text: str) -> Noun | None:
        """Return what a noun is the very word for, or None."""
        return self._exact(plain(text))

    def _exact(self, words: str) -> Noun | None:
        forms = singulars(words)
        for form in forms:
            entry = self._entries.get(form) or self._unspaced.get(form.replace(" ", ""))
            if entry is not None:
                several = any(f in self._entries for f in forms if f != words)
                mass = not entry.types and words in ALL_OF_THEM
                own = tuple(kind for kind in self.present if spaced(kind) in forms)
                types = own or self._here((*entry.types, *entry.members))
                return Noun(types, many=several or mass)
        return None

    def _here(self, types: Iterable[str]) -> tuple[str, ...]:
        every = tuple(dict.fromkeys(types))
        return tuple(kind for kind in every if kind in self.present) or every

    def _of(self, words: str) -> Noun | None:
        """Return the meaning of ``slice of bread``, ``box of tissues``, ``head of lettuce``, ``slices``."""
        before, of, what = words.partition(" of ")
        what = re.sub(r"^(?:the|a|an) ", "", what)
        measures = set(singulars(before.rpartition(" ")[2]))
        if not of:
            many = before not in _PIECES
            return Noun(pieces=True, many=many) if measures & _PIECES else None
        whole = self._exact(words) or self._exact(f"{singulars(what)[-1]} {before}")
        if whole is not None:
            return whole
        found = self.find(what) if measures & (_PIECES | MEASURES) else None
        if found is None:
            box = self._exact(before) or self.head(before)
            return replace(box, besides=words) if box is not None and not box.pieces else None
        return replace(found, pieces=bool(measures & _PIECES), many=before not in measures)

    def head(self, words: str) -> Noun | None:
        """Return the type whose name ends so: ``machine``; with those that are also called so."""
        forms = singulars(words)
        fits = [kind for kind in self.present if spaced(kind).split()[-1] in forms]
        if len(fits) != 1:
            return None
        ends = tuple(f" {form}" for form in forms)
        also = (entry.types for name, entry in self._entries.items() if name.endswith(ends))
        others = {kind for types in also for kind in types if kind in self.present} - {*fits}
        many = spaced(fits[0]).split()[-1] != words
        return Noun((*fits, *sorted(others)), many=many, alike=bool(others))

    def _alike(self, words: str) -> Noun | None:
        """Return the nearest types by what everyday things have in common."""
        for index in self._taxonomies:
            classes, _ = index.matches(words)
            types = [kind for word in sorted(classes) for kind in self._entries[word].types]
            if types:
                one = words in index.concepts.by_word or not is_plural(words)
                return Noun(self._here(types), many=not one, alike=True)
        return None

    def _shorter(self, words: str) -> Noun | None:
        """Return what is left when the words before a noun are left out.

        A magnifying glass is no glass: what has a meaning of its own is looked up by that alone.
        """
        every, known = words.split(), _is_word(words)
        for count in range(1, len(every)):
            rest = " ".join(every[count:])
            found = self._exact(rest)
            if found is not None and not known:
                return replace(found, besides=" ".join(every[:count]))
        return None

    # ---- what is looked up in ---------------------------------------------------------------------

    @cached_property
    def _unspaced(self) -> dict[str, _Entry]:
        return {words.replace(" ", ""): entry for words, entry in self._entries.items()}

    @cached_property
    def _taxonomies(self) -> tuple[ClassIndex, ...]:
        """By names of types alone: what else these are called means other things as well."""
        words = [plain(spaced(kind)) for kind in sorted(self.present)]
        return tuple(ClassIndex(words, concepts()) for concepts in _TAXONOMIES)


def _is_word(words: str) -> bool:
    """Return whether words have a meaning that everyday things can have."""
    return any(concepts().senses(words) for concepts in _TAXONOMIES)


def plain(text: str) -> str:
    """Return the words of a noun: lower case, without articles, hyphens and possessives."""
    words = re.sub(r"[^\w\s]", " ", re.sub(r"['’]s\b", "", text.lower().replace("_", " ")))
    return " ".join(word for word in words.split() if word not in ("the", "a", "an"))


def nouns_of(kinds: Kinds, graph: HouseGraph) -> tuple[Kinds, Nouns]:
    """Return general knowledge with the types of a house that nobody listed, and the house's nouns."""
    told = completed(kinds, graph)
    return told, Nouns(told, graph.types().values())


def completed(kinds: Kinds, graph: HouseGraph) -> Kinds:
    """Return general knowledge, completed by the types of a house that nobody listed.

    Such a type is called by its name; one that is called like a listed one has all its words.
    """
    present = {kind.removesuffix(SLICED) for kind in graph.types().values()}
    unlisted = sorted(present - set(kinds.types))
    if not unlisted:
        return kinds
    types = dict(kinds.types) | {name: _kind(name, kinds, graph) for name in unlisted}
    return kinds.model_copy(update={"types": types})


def _kind(name: str, kinds: Kinds, graph: HouseGraph) -> Kind:
    own = spaced(name)
    alike = [kind for kind in kinds.types.values() if own in kind.words]
    words = tuple(dict.fromkeys((own, *(word for kind in alike for word in kind.words))))
    found = tuple(dict.fromkeys(place for kind in alike for place in kind.found))
    things = graph.subjects("is-a", name)
    can = sorted({affordance for thing in things for affordance in graph.values(thing, "can")})
    return Kind(words=words, found=found, can=tuple(can))
