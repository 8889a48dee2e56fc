"""The words for the things of a house, those included that general knowledge does not list."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.grounding.problem_writer.commands.chunks import Chunker
from commonground.grounding.problem_writer.commands.vocabulary import Sense, phrases_of
from commonground.grounding.problem_writer.goals import SLICED
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.inventory import completed
from commonground.grounding.problem_writer.kinds import Kinds, spaced
from commonground.grounding.words.nouns import plural


@dataclass(frozen=True, slots=True)
class Voice:
    """General knowledge and words, as far as one house needs them."""

    kinds: Kinds
    chunker: Chunker


def voice_of(kinds: Kinds, graph: HouseGraph) -> Voice:
    """Return the words for a house: types nobody listed are called by their names, or as their likes are."""
    present = {kind.removesuffix(SLICED) for kind in graph.types().values()}
    told = completed(kinds, graph)
    phrases = dict(phrases_of(told))
    for name in sorted(present):
        _short(name, phrases, present)
    return Voice(told, Chunker(phrases))


def _short(name: str, phrases: dict[str, tuple[Sense, ...]], present: set[str]) -> None:
    """Let the last word of a name stand for it where nothing else in the house is called so."""
    *_, last = spaced(name).split()
    if sum(spaced(other).split()[-1] == last for other in present) > 1:
        return  # ``machine`` where there are two kinds of them is asked about
    for word, many in ((last, False), (plural(last), True)):
        known = phrases.get(word, ())
        others = [sense for sense in known if sense.kind == "thing"]
        if len(others) < len(known) or any(sense.value in present for sense in others):
            continue
        phrases[word] = (*others, Sense("thing", name, plural=many))
