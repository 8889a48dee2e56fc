"""What a text names, and whether it leaves a choice: a model's meaning has to keep both.

A model that drops a clause, or takes a thing for another, leaves something unmentioned that the map has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from commonground.grounding.english.faithful import BANS
from commonground.grounding.english.names import GROUPS, Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.faithful import negatives, negators
from commonground.grounding.meaning import Act, Instruction, Plan, Relation, Several, Thing, Who
from commonground.grounding.resolver.anchors import ANY
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import words_of
from commonground.grounding.words.numbers import count_of
from commonground.grounding.world import World

_POINTING = frozenset(
    words_of("the a an this that these those any every each all both either no my our your some")
)
_NEAR = 2
"""So many words before its noun a determiner may stand."""
_CHOICES = frozenset(
    words_of(
        "or either any some one ones a an another whichever whoever couple few several pair somebody someone "
        "anybody anyone something anything anywhere somewhere"
    )
)
_HANDLING = frozenset(["pick", "take", "place"])
_HANDLED = frozenset(
    words_of(
        "fetch retrieve grab collect carry deliver bring lift fetches retrieves grabs collects carries "
        "delivers brings lifts"
    )
)
"""Verbs that are of no use without hands."""
_FAR = frozenset(
    words_of("farthest furthest farther further far away distant remote remotest longest off")
)
_NUMBERED = frozenset(words_of("region object place node number area room spot item thing"))
_SPARING = frozenset(
    words_of(
        "without unless instead clear skip ignore neglect exclude beware spare bypass shun out outside away "
        "off no none neither nor but save bar barring barred only banned closed stay keep steer rather other "
        "others rest else remaining cannot n't"
    )
)
"""Words that may keep a robot from something, one way or another."""
_ALTERNATIVES = frozenset(["or", "either"])
_LOOSE = frozenset(["so", "else", "not", "less"])
"""After ``or`` these make no alternative."""


def unkept(meaning: Instruction, text: str, world: World, names: Names) -> list[str]:
    """Return what of a text a meaning leaves out, or leaves open, each in a sentence."""
    words = [token.text.casefold() for token in tokens_of(text)]
    return [
        *_left_out(meaning, words, world, names),
        *_choices(meaning, text, words),
        *_deeds(meaning, text, words),
    ]


def _left_out(
    meaning: Instruction, words: Sequence[str], world: World, names: Names
) -> Iterator[str]:
    things = list(parts_of(meaning, Thing))
    nouns = {thing.noun.casefold() for thing in things} - {""}
    meant = {symbol for thing in things for symbol in _meant(thing, world)}
    for start, end in _spoken_of(words, names):
        said = " ".join(words[start:end])
        named = any(said.endswith(noun) or noun.endswith(said) for noun in nouns)
        here = _symbols(said, world)
        if here and not named and meant.isdisjoint(here):
            yield f"the text speaks of the {said}, which is left out"


def _spoken_of(words: Sequence[str], names: Names) -> Iterator[tuple[int, int]]:
    """Yield where the names and nouns of a map stand, and other nouns that are known."""
    taken: set[int] = set()
    for start, end, group in names.hints(words):
        taken.update(range(start, end))
        if GROUPS[group] in ("noun", "area") and _points(words, start, end):
            yield start, end
    for at in range(len(words)):
        if at not in taken and _pointed(words, at) and _points(words, at, at + 1):
            yield at, at + 1


def _points(words: Sequence[str], start: int, end: int) -> bool:
    """Return whether a noun is about something there is, and no number says which (``box 281``)."""
    numbered = end < len(words) and any(c.isdigit() for c in words[end])
    before = words[max(0, start - _NEAR) : start]
    return not numbered and any(w in _POINTING or count_of(w) is not None for w in before)


def _pointed(words: Sequence[str], at: int) -> bool:
    """Return whether a word is a known noun, and stands right behind a determiner as nouns do."""
    return at > 0 and words[at - 1] in _POINTING and bool(everyday().senses(words[at]))


def _meant(thing: Thing, world: World) -> set[str]:
    return {*thing.ids} | (_symbols(thing.noun, world) if thing.noun else set())


def _symbols(noun: str, world: World) -> set[str]:
    """Return what a noun most surely means."""
    pools = world.pools(noun, ANY)
    return {s for pool in pools if pool.grade == pools[0].grade for s in pool.symbols()}


def _choices(meaning: Instruction, text: str, words: Sequence[str]) -> Iterator[str]:
    before = ["", *words[:-1]]
    counted = any(
        count_of(word) is not None and not (word.isdigit() and _is_noun(last))
        for last, word in zip(before, words, strict=True)
    )
    left = _has_choice(meaning)
    if left and not counted and _CHOICES.isdisjoint(words):
        yield "the answer leaves a choice that the text does not leave"
    offered = [w for w, following in zip(words, [*words[1:], ""], strict=True)
               if w in _ALTERNATIVES and following not in _LOOSE]  # fmt: skip
    if offered and not left and not negators(text) and "without" not in words:
        yield f"the text says '{offered[0]}', and the answer leaves no choice"


def _is_noun(word: str) -> bool:
    """Return whether a number behind a word is a name: ``region 5``, ``number 212``, ``barrel 44``."""
    return word in _NUMBERED or bool(everyday().senses(word))


def _deeds(meaning: Instruction, text: str, words: Sequence[str]) -> Iterator[str]:
    spared = (
        negators(text) or not _SPARING.isdisjoint(words) or any(w.startswith(BANS) for w in words)
    )
    if any(negatives(meaning)) and not spared:
        yield "the answer keeps away from something, and the text from nothing"
    handled = [word for word in words if word in _HANDLED]
    if handled and not any(act.do in _HANDLING for act in parts_of(meaning, Act)):
        yield f"the text says '{handled[0]}', and nothing is taken or placed"
    if any(r.how == "farthest" for r in parts_of(meaning, Relation)) and _FAR.isdisjoint(words):
        yield "the answer says 'farthest', and the text does not"


def _has_choice(meaning: Any) -> bool:
    return (
        any(thing.amount == "any" for thing in parts_of(meaning, Thing))
        or any(several.join == "any" for several in parts_of(meaning, Several))
        or any(plan.order == "any" for plan in parts_of(meaning, Plan))
        or any(who.choose in ("one", "other") for who in parts_of(meaning, Who))
    )
