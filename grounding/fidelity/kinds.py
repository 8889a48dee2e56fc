"""Things named by symbols alone, said with their class: what is asked of a noun is asked of them, too.

``Kick O3`` is held against its meaning as ``kick the bin O3``: most checks know things by article and noun.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from commonground.grounding.english.parts import mapped
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.harm import is_told
from commonground.grounding.meaning import Instruction, Thing
from commonground.grounding.words.layers import layer_of
from commonground.grounding.words.nouns import spoken, word_set
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.tokens import tokenize
from commonground.grounding.words.vocabulary import vocabulary
from commonground.grounding.world import World

_POINTING = word_set(
    "the a an this that these those both all no some any every each either neither"
)
_JOINING = frozenset([",", "and", "or", "-"])


def with_kinds(text: str, world: World) -> tuple[str, Mapping[str, str]]:
    """Return a text with the class of each thing that it names by its symbol alone, and these classes."""
    said = Wording(tokenize(text), [*world.team.robots])
    made, end, bare = "", 0, dict[int, str]()
    for at, token in enumerate(said.tokens):
        kind = _kind_of(token.text, world) if token.kind == "symbol" else ""
        joined = said.word(at - 1) in _JOINING and said.is_symbol(at - 2)
        if kind and (at - 2 in bare if joined else _is_bare(said, at, token.text, world)):
            bare[at] = kind
            made, end = f"{made}{text[end : token.start]}the {kind} ", token.start
    return made + text[end:], {said.words[at]: kind for at, kind in bare.items()}


def meant_with_kinds(meaning: Instruction, kinds: Mapping[str, str]) -> Instruction:
    """Return a meaning with classes of things that symbols name, where those of one are alike."""

    def named(part: Any) -> Any:
        if not isinstance(part, Thing) or part.noun or not part.ids:
            return part
        found = {kinds.get(symbol, "") for symbol in part.ids}
        return replace(part, noun=found.pop()) if len(found) == 1 else part

    changed: Instruction = mapped(meaning, named) if kinds else meaning
    return changed


def _is_bare(said: Wording, at: int, symbol: str, world: World) -> bool:
    """Return whether no noun stands before a symbol, nor what only a noun or a symbol may follow."""
    word = said.word(at - 1)
    if word in _POINTING or count_of(word) is not None or layer_of(word):
        return False
    if any(symbol in pool.symbols() for pool in world.pools(word, ("object",)) if word):
        return False
    known = not word.isalnum() or word in vocabulary()[1] or said.is_robot(word)
    return known or is_told(said, at - 1)


def _kind_of(symbol: str, world: World) -> str:
    """Return the class of a thing, '' for none."""
    found = world.find(symbol)
    if found is None or found[0].kind != "object":
        return ""
    kind = spoken(found[0].words[found[1]])
    return "" if kind == "unknown" else kind
