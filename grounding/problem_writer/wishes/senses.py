"""What ways to read a command come to: the same goal in any order, or by names in the place of types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

from commonground.grounding.english.utterance import Span
from commonground.grounding.english.weighing import Weighed
from commonground.grounding.problem_writer.goals import Wish, is_reached, words_of
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import OPPOSITE
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Atom, Formula, Not, to_pddl
from commonground.planning.pddl.logic import conjuncts
from commonground.planning.pddl.strata import literals

Literal: TypeAlias = "tuple[str, tuple[str, ...], bool]"


class Way(NamedTuple):
    """One way to read a command: what it asks for or what to ask, what it passes over, and makes up."""

    found: Wish | Unclear
    left_out: tuple[str, ...] = ()
    made_up: tuple[str, ...] = ()
    probability: float = 1.0
    talk: tuple[Span, ...] = ()
    """What a reader took for talk."""
    whole: bool = False
    """Whether every word was read by rules, or in pieces, and nothing is amiss with what came of it."""


def sense_of(found: Wish | Unclear, graph: HouseGraph) -> Hashable:
    """Return what a wish comes to, the same for goals in any order; one for all questions.

    The only thing of a type is meant by its name and by its type.
    """
    if isinstance(found, Unclear):
        return None
    if not _is_plain(found.goal):
        return tuple(sorted(map(to_pddl, conjuncts(found.goal))))
    types = graph.types()
    several = Counter(types.values())
    spared = {fact.subject for fact in found.spared}
    asked = [*literals(found.goal)]
    asked += [each for step in found.before for each in literals(step) if each not in asked]
    return frozenset(
        (
            atom.predicate,
            tuple(types[w] if several[types.get(w, "")] == 1 else w for w in atom.args),
            so,
        )
        for atom, so in map(_affirmed, asked)
        if not (so and atom.args[-1] in spared and is_reached(atom, graph))
    )


def plain_literals(goal: Formula) -> list[tuple[Atom, bool]]:
    """Return what a goal says is so or not so; what is not to be on is to be off."""
    return [*map(_affirmed, literals(goal))]


def told_apart(senses: Sequence[Weighed[Way]], graph: HouseGraph) -> list[Weighed[Way]]:
    """Return senses of which one only says which things another means as one: those that are told."""
    found: list[Weighed[Way]] = []
    for sense in senses:
        same = next((n for n, one in enumerate(found) if _tell_alike(sense, one, graph)), None)
        if same is None:
            found.append(sense)
        else:
            ways = (*found[same].ways, *sense.ways)
            named = (way for way in ways if _names(way, graph))
            found[same] = Weighed(tuple(named) or ways, found[same].share + sense.share)
    return sorted(found, key=lambda one: -one.share)


def absorbed(senses: Sequence[Weighed[Way]], graph: HouseGraph) -> list[Weighed[Way]]:
    """Return senses without those that only leave out some of what another one takes from all the words."""
    asked = [sense_of(sense.ways[0].found, graph) for sense in senses]
    wholes = [n for n, sense in enumerate(senses) if any(way.whole for way in sense.ways)]
    found = [*senses]
    for n, part in enumerate(asked):
        for whole in wholes:
            entire = asked[whole]
            if isinstance(part, frozenset) and isinstance(entire, frozenset) and part < entire:
                ways = (*found[whole].ways, *found[n].ways)
                found[whole] = Weighed(ways, found[whole].share + found[n].share)
                found[n] = Weighed(found[n].ways, 0.0)
                break
    return [one for one in found if one.share]


def _tell_alike(one: Weighed[Way], other: Weighed[Way], graph: HouseGraph) -> bool:
    """Return whether one sense is the other but for names in the place of types."""
    ways = one.ways[0], other.ways[0]
    if not all(isinstance(way.found, Wish) and _is_plain(way.found.goal) for way in ways):
        return False
    names, more = (_names(way, graph) for way in ways)
    many, others = (len(_asked(way)) for way in ways)  # all of a kind are not one of it
    alike = many == others and _in_types(ways[0], graph) == _in_types(ways[1], graph)
    return alike and not (names and more)


def _affirmed(literal: tuple[Atom, bool]) -> tuple[Atom, bool]:
    """Return what is not to be on as what is to be off."""
    atom, so = literal
    if so or atom.args[-1] not in OPPOSITE:
        return literal
    return Atom(atom.predicate, (*atom.args[:-1], OPPOSITE[atom.args[-1]])), True


def _names(way: Way, graph: HouseGraph) -> set[str]:
    """Return the things of types with several of them that a way names."""
    several = Counter(graph.types().values())
    words = words_of(way.found.goal) if isinstance(way.found, Wish) else ()
    return {word for word in words if several[graph.types().get(word, "")] > 1}


def _in_types(way: Way, graph: HouseGraph) -> frozenset[Literal]:
    types = graph.types()
    return frozenset(
        (a.predicate, tuple(types.get(w, w) for w in a.args), so) for a, so in _asked(way)
    )


def _asked(way: Way) -> list[tuple[Atom, bool]]:
    return [*literals(way.found.goal)] if isinstance(way.found, Wish) else []


def _is_plain(goal: Formula) -> bool:
    parts = goal.parts if isinstance(goal, And) else (goal,)
    return all(isinstance(part, Atom | Not) for part in parts)
