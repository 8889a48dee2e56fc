"""Nouns → the nodes they may mean: the map's own words, names, synonyms, misspellings, heads of compounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.grounding.nodes import Nodes, first_part, rows_of
from commonground.grounding.words.concepts import artifacts, everyday
from commonground.grounding.words.nouns import plainly, singulars, spoken, word_set
from commonground.grounding.words.spelling import Speller, is_word

EXACT, ALIKE, MENDED, HEAD, SEEN = range(5)
"""How sure it is that nodes are meant: by the map's own word, a synonym, a misspelling, a head, by looks."""
KEPT = 128
"""Nouns of which is kept what they may mean."""
LEAST_PART = 4
"""Letters that each part of a compound has: else a carpet would be a pet."""
TELLING_APART = word_set(
    "north south east west northern southern eastern western northeast northwest southeast southwest "
    "left right upper lower top bottom middle central front back rear near far inner outer main other "
    "first second third fourth fifth last next previous one two three four five"
)
"""Words that tell one thing from others of its kind, not a kind of thing."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Rows of one layer that a noun may mean."""

    nodes: Nodes
    rows: Ints
    grade: int
    favorites: Ints
    """Those whose proper name has the noun in it (``the meadow``: the west meadow), or of just that class."""
    note: str = ""
    likely: Floats | None = None
    """(n,) how likely each node of the layer is meant, where that was judged by looks."""

    @property
    def exact(self) -> bool:
        """Whether the map uses this very word."""
        return self.grade == EXACT

    def take(self, mask: Bools) -> Pool:
        return self.of(self.rows[mask])

    def of(self, rows: Ints) -> Pool:
        """Return the pool with these rows instead."""
        kept = self.favorites[np.isin(self.favorites, rows)]
        return replace(self, rows=rows, favorites=kept)

    def symbols(self, rows: Iterable[int] | None = None) -> list[str]:
        """Return the symbols of the pool's rows, or of the given rows."""
        return [self.nodes.symbols[int(r)] for r in (self.rows if rows is None else rows)]


class Linker:
    """Links nouns to the nodes of some layers."""

    def __init__(self, layers: Iterable[Nodes]) -> None:
        here = [spoken(w) for nodes in layers for w in (*nodes.by_class, *nodes.by_name)]
        nouns = [*everyday().words(), *here]
        self._joined = {noun.replace(" ", ""): noun for noun in nouns}
        self._known = {word for noun in nouns for word in noun.split()}
        self._native = {p: w for noun in here for w in noun.split() for p in _written(w)}
        """Words of the map by how they are written without letters that a keyboard lacks."""
        self._speller = Speller(self._known)
        # every reading of a text asks for the same nouns
        self._kept = lru_cache(maxsize=KEPT)(self._pool)

    def pool(self, noun: str, nodes: Nodes) -> Pool | None:
        """Return the nodes of a layer that a noun may mean, in the surest way in which it means any."""
        return self._kept(spoken(noun), nodes)

    def _pool(self, noun: str, nodes: Nodes) -> Pool | None:
        if not noun:
            every = np.arange(len(nodes))
            return Pool(nodes, every, EXACT, every[:0]) if len(nodes) else None
        things = nodes.kind == "object"
        rarer = ((w, ALIKE, f"took '{noun}' for {w}") for w in _rarer(noun) if things)
        for form, grade, note in chain(self._forms(noun), rarer):
            if grade == HEAD and not things:
                break  # an area is its name: the north lot is not just any lot
            pool = (_given if form in nodes.given else meant)(form, nodes)
            if pool is not None:
                notes = "; ".join(filter(None, [note, pool.note]))
                return replace(pool, grade=max(grade, pool.grade), note=notes)
        return None

    def _forms(self, noun: str) -> Iterator[tuple[str, int, str]]:
        """Yield what a noun may be read as, the surest first, with its grade and what to say of it."""
        words = noun.split()
        yield noun, EXACT, ""
        for form in singulars(noun):
            apart = self._joined.get(form.replace(" ", ""), form)
            if apart != form:
                yield apart, ALIKE, ""
        native = " ".join(map(self._natively, words))
        if native != noun:
            yield native, ALIKE, ""
        mended = [self._mended(word) for word in words]
        if mended != words:
            yield " ".join(mended), MENDED, f"read '{noun}' as '{' '.join(mended)}'"
        if not everyday().senses(" ".join(mended)):
            for at in range(1, len(words)):
                if words[at - 1] in TELLING_APART or not self._is_noun(mended[at - 1]):
                    break
                head = " ".join(mended[at:])
                if not any(map(str.isalpha, head)):
                    break  # pump 3 is no kind of 3
                yield head, HEAD, f"took '{noun}' for a kind of {head}"

    def _is_noun(self, word: str) -> bool:
        """Return whether a word before a head says what kind it is of, not what color or state."""
        return bool(everyday().senses(word))

    def _natively(self, word: str) -> str:
        """Return a word as the map writes it, with its own letters or without."""
        if word in self._known:
            return word
        forms = (word, *plainly(word))
        known = (form if form in self._known else self._native.get(form) for form in forms)
        return next(filter(None, known), word)

    def _mended(self, word: str) -> str:
        if not self._known.isdisjoint(singulars(word)):
            return word
        mended = (self._speller.correct(form) for form in singulars(word))
        return next(filter(None, mended), word)


def _written(word: str) -> Iterator[str]:
    """Yield a word without letters that English has not; a bar is no Bär, but a cafe is a café."""
    forms = plainly(word)
    yield from (form for form in forms if len(forms) == 1 or not is_word(form))


def _rarer(noun: str) -> Iterator[str]:
    """Yield other words for the very same by the wide word list: a perambulator is a stroller.

    What it is one of is not asked: whatever is safe would be a strongbox, and so a box.
    """
    known = artifacts()
    for form in singulars(noun):
        for sense in known.senses(form):
            yield from known.concepts[sense].words


def meant(noun: str, nodes: Nodes) -> Pool | None:
    """Return the nodes of a layer that a noun means by class, by name or as the end of a name."""
    classes, exact = _classes(noun, nodes)
    named = None if exact else _named(noun, nodes)
    if named is not None:
        return named
    endings = tuple(f" {form}" for form in singulars(noun))
    ends = rows_of(nodes, [name for name in nodes.by_name if name.endswith(endings)])
    if classes:
        words = sorted(classes)
        rows = np.sort(np.concatenate([nodes.by_class[c] for c in words]))
        note = "" if exact else f"the map calls '{noun}' {' or '.join(words)}"
        grade = EXACT if exact else ALIKE
        own = ends if len(ends) or not exact else _just_so(noun, nodes)
        return Pool(nodes, rows, grade, own[np.isin(own, rows)], note)
    return Pool(nodes, ends, ALIKE, ends, f"'{noun}' is part of a name") if len(ends) else None


def _given(noun: str, nodes: Nodes) -> Pool:
    """Return what people call so before what has such a class: they say the one, and all of both."""
    classes, exact = _classes(noun, nodes)
    own, alike = nodes.given[noun], [nodes.by_class[word] for word in classes if exact]
    return Pool(nodes, np.unique(np.concatenate([own, *alike])), EXACT, own, "people call it so")


def _just_so(noun: str, nodes: Nodes) -> Ints:
    """Return the areas of the very class that a noun names: a lawn is a meadow, too."""
    own = [nodes.by_class[form] for form in singulars(noun) if form in nodes.by_class]
    return np.concatenate(own) if own and nodes.kind == "region" else np.arange(0)


def _classes(noun: str, nodes: Nodes) -> tuple[frozenset[str], bool]:
    """Return the classes that a noun means, and whether one is called just so.

    An area that ends in the noun is meant before one that it may be a word for: the yard is the service yard,
    and not the garden. But a kitchen is as good a room as the meeting room.
    """
    classes, exact = nodes.index.matches(noun)
    if not exact and nodes.kind == "region":
        ending = nodes.index.ending_in(noun)
        classes = ending | nodes.index.kinds_of(noun) if ending else classes
    if nodes.kind == "object":
        forms = singulars(noun)
        if exact:
            classes = frozenset(word for word in classes if not _is_compound(word, forms))
        elif not classes:  # the mower is the lawnmower where nothing is called just so
            found = (word for word in nodes.by_class if _is_compound(word, forms, LEAST_PART))
            classes = frozenset(found)
    return classes, exact


def _is_compound(word: str, forms: Iterable[str], least: int = 1) -> bool:
    """Return whether a class is a word of its own beside the end of it: a toolbox where there are boxes.

    Of areas, a bedroom is as good a room as any. With ``least`` letters in both parts, which must be words:
    no bicycle ends in a cycle.
    """
    ends = (form for form in forms if word != form and word.endswith(form) and word.isalpha())
    return any(
        least == 1 or (min(len(end), len(word) - len(end)) >= least and is_word(word[: -len(end)]))
        for end in ends
    )


def _named(noun: str, nodes: Nodes) -> Pool | None:
    """Return the nodes whose proper name a noun is, in full or by its parts."""
    forms = singulars(noun)
    named = rows_of(nodes, [name for name in nodes.by_name if name in forms])
    return Pool(nodes, named, EXACT, named) if len(named) else _by_parts(noun, nodes)


def _by_parts(noun: str, nodes: Nodes) -> Pool | None:
    """Match ``north lot`` with the parking area named ``north parking lot``."""
    words = noun.split()
    for cut in range(1, len(words)):
        first, head = " ".join(words[:cut]), " ".join(words[cut:])
        classes, _ = nodes.index.matches(head)
        rows = [
            int(r)
            for name, named in nodes.by_name.items()
            for r in named
            if nodes.words[int(r)] in classes
            and first_part(name, nodes.words[int(r)], nodes.index) == first
        ]
        if rows:
            found = np.array(rows, np.int64)
            names = " or ".join(f"'{nodes.names[r]}'" for r in rows)
            return Pool(nodes, found, ALIKE, found, f"'{noun}' is {names}")
    return None
