"""Which of several things a phrase means: the question, and what people say in answer to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.memory.interpretation.unclear import MOST_NAMED, Candidates, Unclear
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.words.nouns import word_set

POINTING = word_set(
    "the a an one it is was that its thats it's that's 's meant mean i no yes of them"
)
ORDER = {"first": 0, "former": 0, "second": 1, "latter": 1, "third": 2, "fourth": 3, "last": -1}


def which_of(phrase: str, things: Sequence[str], names: Names) -> Unclear:
    """Return the question which of several things a phrase means."""
    called = [told_apart(t, things, names) for t in things[:MOST_NAMED]]
    question = f"which one is meant by '{phrase}': {', '.join(called)}?"
    return Unclear(question, "ambiguous", Candidates(phrase, (*things,), next(iter(called), "")))


def told_apart(thing: str, others: Sequence[str], names: Names) -> str:
    """Return what a thing is called among others, with its type where another one has its name."""
    name = names.things[thing].name
    same = [t for t in others if names.things[t].name == name]
    if len(same) < 2:
        return name
    kind = names.kind(thing)
    return f"the {kind.replace('_', ' ').replace('-', ' ')} {name}"


def chosen(words: Sequence[str], asked: Candidates, names: Names) -> str | None:
    """Return which candidate an answer means: by a part of its name, its type, or its place in the row."""
    said = {*words} - POINTING
    if not said:
        return None
    if len(said) == 1 and (at := ORDER.get(next(iter(said)))) is not None:
        named = asked.things[:MOST_NAMED]
        return named[at] if at < len(named) else None
    above = names.meanings.vocabulary.types.ancestors

    def called(thing: str) -> set[str]:
        kinds = (names.kind(thing), *above(names.kind(thing)))
        return {*words_of(names.things[thing].name)} | {w for k in kinds for w in words_of(k)}

    known = [t for t in asked.things if t in names.things]
    meant = [t for t in known if said <= called(t)]
    exact = [t for t in meant if said >= {*words_of(names.things[t].name)}]
    meant = exact if len(exact) == 1 else meant
    return meant[0] if len(meant) == 1 else None


def with_name(text: str, asked: Candidates, thing: str, names: Names) -> str:
    """Return a text with what a candidate is called in place of the phrase; '' where that is not there."""
    name = told_apart(thing, asked.things, names)
    name = name if name[:1].isupper() or name.startswith("the ") else f"the {name}"
    phrase = r"(?:['’]s?)?\s+".join(map(re.escape, asked.phrase.split()))  # "my room's lamp"
    said = rf"(?:\b(?:the|an?|this|that|my|our|your)\s+)?\b{phrase}\b"
    whole, count = re.subn(said, lambda _: name, text, flags=re.IGNORECASE)
    return whole if count == 1 else ""
