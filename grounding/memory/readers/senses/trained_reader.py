"""What a text says to the memory, as the learned reader understands it, or what it is not sure of."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Union

from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names as Hints
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Clause, Mood, Utterance
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.names import TYPE, Names
from commonground.grounding.words.numbers import count_of

if TYPE_CHECKING:
    from commonground.grounding.english.reader import Reading

Sense: TypeAlias = Callable[[Utterance], Hashable]
"""What an utterance comes to: readings of one sense count together."""
Listen: TypeAlias = Callable[[str, Hints, Union["Mood", None], Sense], Utterance]
"""A reader of English: what a text says in a world of some names, told, asked or ordered.

It raises Unclear where it cannot tell."""


def understood(
    text: str, names: Hints | None = None, mood: Mood | None = None, sense: Sense = str
) -> Utterance:
    """Return what a text says. Unclear where the reader is not sure.

    What can hardly be told, asked or ordered, as the listener takes it to be, is read for what it is.
    """
    from commonground.grounding.english.reader import load_reader

    reader, hints = load_reader(), names or Hints()
    heard = _heard(reader.read(text, "memory", hints, mood), text, hints, sense)
    if isinstance(heard, str) and mood is not None:
        freely = _heard(reader.read(text, "memory", hints), text, hints, sense)
        heard = heard if isinstance(freely, str) else freely
    if isinstance(heard, str):
        raise Unclear(heard)
    return heard


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


def _heard(reading: Reading, text: str, names: Hints, sense: Sense) -> Utterance | str:
    """Return what was said, or what to ask: about words that are left out, or whether that was meant."""
    from commonground.grounding.english.agreement import agreed

    if reading.utterance is None:
        return reading.problem or "what does that mean?"
    found = agreed(
        reading,
        lambda r: _whole(r, text, names),
        lambda u: u if isinstance(u, str) else sense(u),
        lambda u: not isinstance(u, str),
    )
    if found.sure or isinstance(found.answer, str):
        return found.answer
    return f"is this what you mean: {said_back(found.answer)}?"


def _whole(reading: Reading, text: str, names: Hints) -> Utterance | str:
    """Return what a reading says, however sure it is, or what to ask about words that it leaves out."""
    utterance = reading.utterance or Utterance(())
    left_out = _left_out(reading, utterance, text, names)
    if not left_out:
        return utterance
    words = "', '".join(left_out)
    return f"what does '{words}' mean in that? understood: {said_back(utterance)}"


def _left_out(reading: Reading, utterance: Utterance, text: str, names: Hints) -> tuple[str, ...]:
    """Return the words of a text that a reading leaves out; talk may name and deny what it likes."""
    if all(clause.sense == "nothing" for clause in parts_of(utterance, Clause)):
        return ()
    left_out = (*reading.unsure, *unheard(text, utterance, reading.chatter, names))
    return tuple(dict.fromkeys(span.text for span in left_out))


def hints_of(names: Names) -> Hints:
    """Return what people, robots and things of a world are called, as hints for a reader.

    What many are called by their type alone (``thing``, ``row``) tells none of them; levels go by numbers.
    """
    nouns = (noun for noun in _nouns(names) if count_of(noun) is None)
    return Hints(
        {
            "robot": [names.things[robot].name for robot in names.robots],
            "person": [" ".join(words) for words in names.people],
            "noun": nouns,
        }
    )


def _nouns(names: Names) -> Iterator[str]:
    """Yield the nouns that name things and not their type alone."""
    other = {t for t in names.things if names.is_person(t) or names.is_robot(t)}
    other |= {level for levels in names.levels.values() for level in levels}
    for words, called in names.nouns.items():
        named = (rank < TYPE for thing, rank in called.items() if thing not in other)
        if words not in names.plurals and any(named):
            yield " ".join(words)
