"""What a text says to the memory, as the learned reader understands it, or what it is not sure of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from commonground.errors import GroundingError
from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names as Hints
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.utterance import Clause, Mood, Span, Utterance
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.ontology.names import TYPE, Names
from commonground.grounding.words.numbers import count_of

if TYPE_CHECKING:
    from commonground.grounding.english.reader import Reading


class Heard(NamedTuple):
    """One way to hear a text."""

    utterance: Utterance
    probability: float
    """As the network sees it."""
    left_out: tuple[str, ...] = ()
    """Words that it leaves out."""


def readings(text: str, names: Hints | None = None, mood: Mood | None = None) -> list[Heard]:
    """Return what a text may say, the likeliest first."""
    from commonground.grounding.english.reader import THOROUGH, load_reader

    hints = names or Hints()
    first = load_reader().read(text, "memory", hints, mood, THOROUGH)
    return [
        Heard(r.utterance, r.confidence, _left_out(r, r.utterance, text, hints))
        for r in (first, *first.others)
        if r.utterance is not None
    ]


def talk_in(text: str, names: Hints, mood: Mood | None = None) -> tuple[Span, ...]:
    """Return the words of a text that surely tell nothing of this world; nothing without a network."""
    from commonground.grounding.english.reader import THOROUGH, load_reader

    try:
        return load_reader().read(text, "memory", names, mood, THOROUGH).talk
    except GroundingError:
        return ()


def _left_out(reading: Reading, utterance: Utterance, text: str, names: Hints) -> tuple[str, ...]:
    """Return the words of a text that a reading leaves out; talk may name and deny what it likes."""
    if all(clause.sense == "nothing" for clause in parts_of(utterance, Clause)):
        return ()
    left_out = (*reading.unsure, *unheard(text, utterance, reading.chatter, names))
    return tuple(dict.fromkeys(span.text for span in left_out))


def hints_of(names: Names, *, spoken_to: bool) -> Hints:
    """Return what people, robots and things of a world are called, as hints for a reader.

    A robot with a name that is only spoken of is one of those who act, as people are. What many are called by
    their type alone (``thing``, ``row``) tells none of them; levels go by numbers.
    """
    robots = [names.things[robot].name for robot in names.robots]
    called = {*map(words_of, robots)}
    if not spoken_to:
        robots = [name for name in robots if words_of(name) not in names.people]
    people = [words for words in names.people if not (spoken_to and words in called)]
    nouns = (noun for noun in _nouns(names) if count_of(noun) is None)
    return Hints({"robot": robots, "person": map(" ".join, people), "noun": nouns})


def _nouns(names: Names) -> Iterator[str]:
    """Yield the nouns that name things and not their type alone."""
    other = {t for t in names.things if names.is_person(t) or names.is_robot(t)}
    other |= {level for levels in names.levels.values() for level in levels}
    for words, called in names.nouns.items():
        named = (rank < TYPE for thing, rank in called.items() if thing not in other)
        if words not in names.plurals and any(named):
            yield " ".join(words)
