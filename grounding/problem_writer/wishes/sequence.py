"""What a command says comes first and last: each word of order is a step of the wish, or is asked about.

Readers take what is asked for more surely than its order, so that is read from the words by itself: each cue
(``but first``, ``after``, ``in that order``, ``the mug first``) has two sides, and each condition of a wish
belongs to the side that speaks of it. A wish whose steps are otherwise is put into the order of the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from commonground.grounding.problem_writer.goals import SLICED, Wish
from commonground.grounding.problem_writer.wishes.cues import Cue, Cues, Words
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.order import steps_of
from commonground.grounding.problem_writer.wishes.things import whole
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.nouns import word_set
from commonground.planning.pddl import Atom, Formula
from commonground.planning.pddl.logic import conjuncts
from commonground.planning.pddl.strata import literals

_BACK = word_set("it them that those these there")
Edges = set[tuple[Formula, Formula]]
"""Conditions, and those that come after them."""


class Sequence_(Cues):
    """The order that one command asks for."""

    def ordered(self, wish: Wish) -> Wish:
        """Return a wish in the order of the words, or raise `Unclear` where that cannot be kept."""
        if wish.vague or not self.cues:
            return wish
        turns = _turns(wish)
        edges: Edges = set()
        for cue in self.cues:
            found = self._edges(cue, list(turns))
            if cue.must and not found:
                raise Unclear(f"What comes before what: '{cue.said}'?")
            edges |= found
        if all(turns[a] < turns[b] for a, b in edges):
            return wish
        edges |= _kept(turns, edges)
        if any(_leads(b, a, edges) for a, b in edges):
            raise Unclear(f"What comes before what: '{self.cues[0].said}'?")
        *before, goal = steps_of(
            [([whole(c) for c in level], True) for level in _levels(turns, edges)], self.home
        )
        return replace(wish, goal=goal, before=tuple(before))

    def _edges(self, cue: Cue, conditions: Sequence[Formula]) -> Edges:
        """Return which conditions a cue puts before which."""
        found: Edges = set()
        for sides in cue.sides:
            of = [self._side(c, sides, cue.by_name) for c in conditions]
            first, later = (
                [c for c, side in zip(conditions, of, strict=True) if side == n] for n in (0, 1)
            )
            found |= {(a, b) for a in first for b in later}
        return found

    def _side(
        self, condition: Formula, sides: tuple[Words, Words], by_name: bool = False
    ) -> int | None:
        """Return which side speaks of a condition; of what both name, the one that says what it becomes."""
        named = _holding(self._names, condition, sides)
        asked = [] if by_name else _holding(self._asks, condition, sides)
        if not named and _holding(self._names, condition, (Words(range(len(self.words))),)):
            asked = [n for n in asked if self._goes_back(sides[n])]  # ``then close it``
        if len(named) == len(asked) == 1 and named != asked:
            return asked[0] if self._goes_back(sides[asked[0]]) else named[0]
        both = [n for n in named if n in asked]
        only = next((some for some in (both, named, asked) if len(some) == 1), None)
        return only[0] if only else None

    def _goes_back(self, side: Words) -> bool:
        return any(self.words[at] in _BACK for at in side)

    def _names(self, atom: Atom, side: Words) -> bool:
        """Return whether words name what a condition is about."""
        theme = atom.args[1] if atom.predicate == "contains" else atom.args[0]
        return any(self._is(theme, one) for one in self._within(side))

    def _asks(self, atom: Atom, side: Words) -> bool:
        """Return whether words say in which state, or where, something is to be."""
        if atom.predicate == "contains":
            return any(self._is(atom.args[0], one) for one in self._within(side))
        thing, state = self.home.type_of(atom.args[0]), atom.args[1]
        return any(at in side and self._serves(state, thing, ask.state) for at, ask in self.asked)

    def _within(self, side: Words) -> Iterator[Named]:
        return (one for one in self.named if one.start in side)

    def _is(self, word: str, one: Named) -> bool:
        """Return whether a word of a goal is what was named."""
        if one.name and word in self.home.there:
            return word == one.name
        return self.home.type_of(word).removesuffix(SLICED) in self.lit(one)


def _holding(
    holds: Callable[[Atom, Words], bool], condition: Formula, sides: Sequence[Words]
) -> list[int]:
    """Return of which sides something holds with any atom of a condition."""
    atoms = [atom for atom, _ in literals(condition)]
    return [n for n, side in enumerate(sides) if any(holds(atom, side) for atom in atoms)]


def _turns(wish: Wish) -> dict[Formula, int]:
    """Return all conditions of a wish, each with the step that it holds after first."""
    found: dict[Formula, int] = {}
    for turn, step in enumerate((*wish.before, wish.goal)):
        for condition in conjuncts(step):
            found.setdefault(condition, turn)
    return found


def _kept(turns: Mapping[Formula, int], edges: Edges) -> Edges:
    """Return the order that a wish has already, where no word says otherwise."""
    kept = set(edges)
    for a, b in combinations(turns, 2):
        if turns[a] < turns[b] and not _leads(b, a, kept):
            kept.add((a, b))
    return kept


def _leads(start: Formula, end: Formula, edges: Edges) -> bool:
    """Return whether one condition comes somewhere before another."""
    reached, new = {start}, {start}
    while new:
        new = {b for a, b in edges if a in new} - reached
        reached |= new
    return end in reached


def _levels(conditions: Iterable[Formula], edges: Edges) -> Iterator[list[Formula]]:
    """Yield conditions by what has to hold before them."""
    left = list(conditions)
    while left:
        ready = [c for c in left if not any(b == c and a in left for a, b in edges)]
        yield ready
        left = [c for c in left if c not in ready]


def in_sequence(text: str, home: Home) -> Sequence_:
    """Return the order that a command asks for."""
    return Sequence_(home.typed.right(text)[0], home)
