"""What a text says to the memory, as the learned reader understands it, or what it is not sure of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names as Hints
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Mood, Utterance
from commonground.grounding.memory.names import PART, Names
from commonground.grounding.memory.unclear import Unclear
from commonground.grounding.words.numbers import count_of

if TYPE_CHECKING:
    from commonground.grounding.english.reader import Reading

Listen: TypeAlias = Callable[[str, Hints, "Mood | None"], Utterance]
"""A reader of English: what a text says in a world of some names, told, asked or ordered.

It raises Unclear where it cannot tell."""


def understood(text: str, names: Hints | None = None, mood: Mood | None = None) -> Utterance:
    """Return what a text says. Unclear where the reader is not sure.

    What can hardly be told, asked or ordered, as the listener takes it to be, is read for what it is.
    """
    from commonground.grounding.english.reader import load_reader

    reader, hints = load_reader(), names or Hints()
    reading = reader.read(text, "memory", hints, mood)
    question = _doubt(reading, text, hints)
    if question and mood is not None:
        freely = reader.read(text, "memory", hints)
        if not _doubt(freely, text, hints):
            reading, question = freely, ""
    if question or reading.utterance is None:
        raise Unclear(question)
    return reading.utterance


def _doubt(reading: Reading, text: str, names: Hints) -> str:
    """Return what to ask about a reading: words that it leaves out, or whether it is what was meant."""
    if reading.utterance is None:
        return reading.problem or "what does that mean?"
    left_out = (*reading.unsure, *unheard(text, reading.utterance, reading.chatter, names))
    if left_out:
        words = "', '".join(dict.fromkeys(span.text for span in left_out))
        return f"what does '{words}' mean in that? understood: {said_back(reading.utterance)}"
    return "" if reading.sure else f"is this what you mean: {said_back(reading.utterance)}?"


def hints_of(names: Names) -> Hints:
    """Return what people, robots and things of a world are called, as hints for a reader."""
    someone = {t for t in names.things if names.is_person(t) or names.is_robot(t)}
    nouns = (
        " ".join(words)
        for words, called in names.nouns.items()
        if words not in names.plurals
        and any(rank < PART for thing, rank in called.items() if thing not in someone)
    )
    return Hints(
        {
            "robot": [names.things[robot].name for robot in names.robots],
            "person": [" ".join(words) for words in names.people],
            "noun": [noun for noun in nouns if count_of(noun) is None],
        }
    )
