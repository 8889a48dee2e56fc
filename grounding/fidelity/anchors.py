"""Where a text speaks of what a meaning does something with: a goal has an anchor, and none that is denied.

A noun is anchored by its own word, by another for what it means on the map, by a word above or below it (a
vehicle for a car), or, where the text orders something, by a noun that nobody here knows: only who gave the
answer may. The names on a map are data, so that what is called oddly is anchored by its name alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.english.faithful import BACK, DETERMINERS
from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.denials import Denial, denials
from commonground.grounding.fidelity.harm import is_told
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.negation import negatives
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.symbols import meant_symbols
from commonground.grounding.fidelity.undoable import KINDS, means
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.linking import ALIKE
from commonground.grounding.meaning import ELIDED, Act, Thing, things_in
from commonground.grounding.resolver.anchors import ANY
from commonground.grounding.words.concepts import Concepts, artifacts, everyday
from commonground.grounding.words.layers import layer_of
from commonground.grounding.words.nouns import singulars, spoken, word_set
from commonground.grounding.words.refraining import REFRAINS
from commonground.grounding.words.tokens import tokenize
from commonground.grounding.words.vocabulary import split_words, vocabulary
from commonground.grounding.world import World

_SAYING_DEEDS = DEEDS | {"GIVE_CHECK", "INSPECTION", "EYES", "LOCATE"}
_STANDING_IN = BACK | word_set(
    "one ones other others another same rest all both each every everything anything something any either "
    "anywhere everywhere somewhere here where what whatever whichever which whole remaining remainder"
)
"""Words that stand for things and places without a noun of theirs."""
_BLANK = word_set("thing object item stuff area place spot zone device piece")
"""Nouns that anything may be called by."""
_MORE_DEEDS = frozenset(
    ["NEED_NOUN", "SPLIT_PARTICLE", "PATH_WORD", "DO_IT", "SAME", "INSPECT_SPLIT"]
)
_WAYS = word_set(
    "to into onto at toward towards past via through for on in over by from off back next"
)
"""What tells where to, where the verb is left out."""
_EXCLAIMING = frozenset(["what", "how"])
_LONGEST, _ADJECTIVES, _ABOVE = 3, 3, 3


class Anchors:
    """Finds what meanings are about in their texts, on one map."""

    def __init__(self, world: World) -> None:
        self.world = world

    def unfounded(self, held: Held) -> Iterator[str]:
        """Yield what an answer is about, and its text speaks of nowhere."""
        for act, _ in held.sides:
            for thing in parts_of((act.what, act.to), Thing):
                noun = "" if thing.noun == ELIDED or thing.kind == "robot" else spoken(thing.noun)
                if noun and not self.places(held, noun):
                    yield f"the text speaks of no {noun}"
            for what in (act.what, *([act.to] if act.to is not None else [])):
                if any(_is_bare(thing) for thing in things_in(what)) and not _stands_in(held):
                    yield "the text does not speak of what the answer does something with"

    def unbidden(self, held: Held) -> Iterator[str]:
        """Yield that a text has no deed at all, nor any way to somewhere: a remark, a greeting, an outcry.

        A robot called first and a thing are enough where no verb tells of it: ``Anna, regions 1 and 2``.
        """
        told = held.phrases(_SAYING_DEEDS | _MORE_DEEDS) or not (_WAYS | REFRAINS).isdisjoint(
            held.words
        )
        if not held.acts or told or (BEING.isdisjoint(held.words) and self._is_called_for(held)):
            return
        words = (word for at, word in enumerate(held.words) if is_told(held, at))
        if not any(means(word, act.do) for word in words for act in held.acts):
            yield "the text does not say what to do"

    def _is_called_for(self, held: Held) -> bool:
        """Return whether a text calls a robot and names something of each deed."""
        called = (
            bool(held.words) and held.is_robot(held.words[0]) and _EXCLAIMING.isdisjoint(held.words)
        )
        symbols = [str(s.number) for act in held.acts for s in meant_symbols(act)]
        named = not {*symbols}.isdisjoint(held.words)
        return called and (named or all(any(self._of(held, act)) for act in held.acts))

    def denied(self, held: Held) -> Iterator[str]:
        """Yield what an answer does though its text forbids, refuses or leaves it."""
        held = held.apart
        said = [*denials(held)]
        if not said:
            return
        reached = {k for one in said for k in range(one.first, one.end)}
        done = {at for act in held.acts for at in self._of(held, act)}
        kept = any(negatives(held.meaning))
        for one in said:
            within = done.intersection(range(one.first, one.end))
            named = next(
                (held.words[k] for k in sorted(within) if not self._elsewhere(held, k, reached)), ""
            )
            if named:
                yield f"the text says '{one.words}' of the {named}, and the answer does it"
            elif _does(held, one):
                yield f"the text says '{one.words}', and the answer does so"
            elif not kept and _wants_more(held, one):
                yield f"the text says '{one.words}', and the answer leaves nothing out"

    def _elsewhere(self, held: Held, at: int, reached: set[int]) -> bool:
        """Return whether a text speaks of the same outside of what it denies."""
        return any(k not in reached for k in self.places(held, held.words[at]))

    def _of(self, held: Held, act: Act) -> Iterator[int]:
        """Yield where a text speaks of what an act is done with."""
        for what in (act.what, act.to):
            for thing in things_in(what) if what is not None else ():
                yield from self.places(held, spoken(thing.noun)) if thing.noun else ()

    def places(self, held: Held, noun: str) -> frozenset[int]:
        """Return which tokens may mean what a noun does, by the surest link that there is."""
        head = {*singulars(noun.rpartition(" ")[2]), *singulars(split_words(noun)[-1])}
        own = [
            k
            for k, word in enumerate(held.words)
            if not head.isdisjoint(singulars(word.casefold()))
        ]
        found = own or [*self._linked(held, noun)]
        if not found and layer_of(noun):
            found = [k for k, word in enumerate(held.words) if word in _STANDING_IN | _BLANK]
        return frozenset(found or self._unknown(held, noun))

    def _linked(self, held: Held, noun: str) -> Iterator[int]:
        """Yield the last words of phrases that mean the same on the map, or what is above or below it."""
        wanted = self._symbols(noun)
        for at in range(len(held.words)):
            for size in range(1, _LONGEST + 1):
                words = held.words[at : at + size]
                if len(words) < size or not words[-1].isalpha():
                    break
                phrase = " ".join(words)
                if not wanted.isdisjoint(self._symbols(phrase)) or _akin(phrase, noun):
                    yield at + size - 1

    def _symbols(self, noun: str) -> set[str]:
        pools = self.world.pools(noun, ANY)
        return {s for pool in pools if pool.grade <= ALIKE for s in pool.symbols()}

    def _unknown(self, held: Held, noun: str) -> Iterator[int]:
        """Yield nouns that nobody here knows, where the text orders something, and the noun is English."""
        ordered = any(said.words not in BEING for said in held.phrases(_SAYING_DEEDS))
        if not ordered or not _is_noun(noun):
            return
        for at, word in enumerate(held.words):
            if word in DETERMINERS:
                yield from self._phrase(held, at + 1)

    def _phrase(self, held: Held, first: int) -> Iterator[int]:
        """Yield the last word of the noun phrase that begins there, if no list here has it."""
        end = first
        while end < len(held.words) and end < first + _ADJECTIVES and _is_content(held, end):
            end += 1
        word = held.words[end - 1] if end > first else ""
        blank = word in _BLANK and end - first > 1
        if word and (blank or not (self._symbols(word) or _is_noun(word))):
            yield end - 1


def _wants_more(held: Held, one: Denial) -> bool:
    """Return whether an answer to a denial keeps somebody from something."""
    taken_up = not BACK.isdisjoint(held.words[one.first : one.end])
    return one.kind == "bans" or (one.kind == "leaves" and taken_up)


def _does(held: Held, one: Denial) -> bool:
    """Return whether an answer does what a text denies of whatever it may be: ``no lifting``."""
    kinds = frozenset(kind for act in held.acts for kind in KINDS.get(act.do, ()))
    whatever = DETERMINERS.isdisjoint(held.words[one.first : one.end])
    return whatever and any(phrases_in(tokenize(one.words), kinds))


def _is_bare(thing: Thing) -> bool:
    """Return whether nothing but other words can tell what a thing is."""
    return not (thing.noun or thing.ids or thing.where or thing.among or thing.of)


def _stands_in(held: Held) -> bool:
    """Return whether a text has any word that stands for a thing."""
    said = {form for word in held.words for form in singulars(word)}
    return not said.isdisjoint(_STANDING_IN) or any(map(layer_of, said))


def _is_content(held: Held, at: int) -> bool:
    word = held.words[at]
    counted = held.tokens[at].kind == "number"
    return counted or (word.isalpha() and (word not in vocabulary()[1] or word in _BLANK))


def _is_noun(words: str) -> bool:
    """Return whether a list of nouns has these words."""
    return any(known.senses(words) for known in (everyday(), artifacts()))


def _akin(one: str, other: str) -> bool:
    """Return whether one of two nouns is a kind of the other."""
    return any(
        _is_above(one, other, k) or _is_above(other, one, k) for k in (everyday(), artifacts())
    )


def _is_above(kind: str, noun: str, known: Concepts) -> bool:
    kinds = {*known.senses(kind)}
    return bool(kinds) and any(
        not kinds.isdisjoint(known.line(sense)[: _ABOVE + 1]) for sense in known.senses(noun)
    )
