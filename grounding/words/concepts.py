"""Everyday words and what they have in common: which classes of a map a noun may mean.

The taxonomy is a text file: indentation is *is a*, commas separate synonyms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from commonground.errors import GroundingError
from commonground.grounding.words.nouns import singulars


@dataclass(frozen=True, slots=True)
class Concept:
    """One sense: the words for it, and its place in the taxonomy."""

    row: int
    words: tuple[str, ...]
    parent: int | None


@dataclass(frozen=True, slots=True)
class Concepts:
    """The taxonomy, by word."""

    concepts: tuple[Concept, ...]
    by_word: Mapping[str, tuple[int, ...]]

    def words(self) -> Iterator[str]:
        """Yield every word the taxonomy knows, in the singular where it has one."""
        return iter(self.by_word)

    def senses(self, noun: str) -> tuple[int, ...]:
        """Return the senses of a noun in singular or plural; empty if it is unknown."""
        for form in singulars(noun):
            if form in self.by_word:
                return self.by_word[form]
        return ()

    def line(self, sense: int) -> list[int]:
        """Return a sense and everything above it, nearest first."""
        line: list[int] = []
        here: int | None = sense
        while here is not None:
            line.append(here)
            here = self.concepts[here].parent
        return line


class ClassIndex:
    """Which of a map's class words a noun may mean.

    The nearest wins: the class of the same word, else of a synonym, together with the classes below it, else
    the nearest class above it (a bench is ``seating``), else one that ends so (a bay is a ``loading
    bay``), else none.
    """

    def __init__(self, classes: Iterable[str], concepts: Concepts | None = None) -> None:
        self.concepts = concepts if concepts is not None else everyday()
        self._forms: dict[str, set[str]] = {}
        self._heads: dict[str, set[str]] = {}
        self._at: dict[int, set[str]] = {}
        self._below: dict[int, set[str]] = {}
        for word in classes:
            spoken = word.lower().replace("_", " ").replace("-", " ")
            for form in singulars(spoken):
                self._forms.setdefault(form, set()).add(word)
            head = spoken.rpartition(" ")[2]
            if head != spoken:
                for form in singulars(head):
                    self._heads.setdefault(form, set()).add(word)
            for sense in self.concepts.senses(spoken):
                self._at.setdefault(sense, set()).add(word)
                for above in self.concepts.line(sense):
                    self._below.setdefault(above, set()).add(word)

    def matches(self, noun: str) -> tuple[frozenset[str], bool]:
        """Return the classes a noun may mean, and whether one of them is the very word."""
        exact: set[str] = set()
        for form in singulars(noun):
            exact |= self._forms.get(form, set())
        senses = self.concepts.senses(noun)
        below = set().union(
            *(self._below.get(s, set()) for s in senses if not exact or self._is_genus(noun, s))
        )
        if exact:  # a map that has gardens and courtyards tells them apart
            below -= set().union(*(self._at.get(s, set()) for s in senses))
        found = exact | below
        if found:
            return frozenset(found), bool(exact)
        lines = [self.concepts.line(s) for s in senses]
        for step in range(1, max(map(len, lines), default=0)):
            above: set[str] = set()
            for line in lines:
                above |= self._at.get(line[step], set()) if step < len(line) else set()
            if above:
                return frozenset(above), False
        return self.ending_in(noun), False

    def ending_in(self, noun: str) -> frozenset[str]:
        """Return the classes of several words that end in a noun: a bay is a ``loading bay``."""
        return frozenset().union(*(self._heads.get(form, set()) for form in singulars(noun)))

    def kinds_of(self, noun: str) -> frozenset[str]:
        """Return the classes below a noun that is the first word for all of them: a kitchen is a room."""
        genera = [s for s in self.concepts.senses(noun) if self._is_genus(noun, s)]
        return frozenset().union(
            *(self._below.get(s, set()) - self._at.get(s, set()) for s in genera)
        )

    def _is_genus(self, noun: str, sense: int) -> bool:
        """Return whether a noun is the first word of a sense: a toolbox is a box, but no crate."""
        return self.concepts.concepts[sense].words[0] in singulars(noun)


@cache
def everyday() -> Concepts:
    """Return the taxonomy that comes with the project."""
    return read_concepts(word_file("things.txt"))


@cache
def household() -> Concepts:
    """Return what the rooms and things of a household are called as well."""
    return read_concepts(word_file("household.txt"))


@cache
def artifacts() -> Concepts:
    """Return what WordNet knows of made things and food: wide, and less sure of what people mean."""
    return read_concepts(word_file("artifacts.txt"))


def word_file(name: str) -> str:
    """Return the text of a list of words that comes with the project."""
    return files("commonground.grounding").joinpath("words", "data", name).read_text("utf-8")


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of such a list, without its comments."""
    lines = (line for line in word_file(name).splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


def read_concepts(text: str) -> Concepts:
    """Return the taxonomy of a text; GroundingError names a line that is wrong."""
    concepts: list[Concept] = []
    by_word: dict[str, list[int]] = {}
    open_lines: list[tuple[int, int]] = []  # (indentation, row)
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].rstrip()
        if not line or line.startswith("["):
            open_lines = []
            continue
        indent = len(line) - len(line.lstrip())
        words = tuple(w.strip() for w in line.split(",") if w.strip())
        while open_lines and open_lines[-1][0] >= indent:
            open_lines.pop()
        if not words or (indent > 2 and not open_lines):
            raise GroundingError(f"things.txt:{number}: a line that is indented under nothing")
        row = len(concepts)
        concepts.append(Concept(row, words, open_lines[-1][1] if open_lines else None))
        open_lines.append((indent, row))
        for word in words:
            by_word.setdefault(word, []).append(row)
    return Concepts(tuple(concepts), {w: tuple(rows) for w, rows in by_word.items()})
