"""What is so or shall be, in plain sentences: ``the red mug and the blue mug are clean and in the sink``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from commonground.grounding.words.nouns import singular

T = TypeVar("T")
MOST, _SHORT = 4, 5
"""So many things, or sentences, are listed."""


class Statement(NamedTuple):
    """One thing said of one thing."""

    subject: str
    rest: str
    """What is said of it, without the verb where that is ``is``."""
    verb: str = "is"
    plural: bool = False
    """Whether the subject is several by its name: ``the scissors``."""


def in_sentences(statements: Iterable[Statement]) -> str:
    """Return statements in plain words, those of the same things together, and the same of several."""
    of: dict[tuple[str, bool], dict[str, list[str]]] = {}
    for said in dict.fromkeys(statements):
        verbs = of.setdefault((said.subject, said.plural), {})
        verbs.setdefault(said.verb, []).append(said.rest)
    alike: dict[tuple[str, ...], list[tuple[str, bool]]] = {}
    for subject, verbs in of.items():
        listed = (f"{verb} {listing(rests, more='others')}" for verb, rests in verbs.items())
        alike.setdefault(tuple(listed), []).append(subject)
    told = [_sentence(subjects, said) for said, subjects in alike.items()]
    left = len(told) - MOST
    return "; ".join(told if left <= 1 else [*told[:MOST], f"and {left} more such changes"])


def _sentence(subjects: list[tuple[str, bool]], said: tuple[str, ...]) -> str:
    names = listing([name for name, _ in subjects], more="others")
    plural = len(subjects) > 1 or subjects[0][1]
    return f"{names} {listing([_several(each) if plural else each for each in said])}"


def _several(said: str) -> str:
    """Return what is said of one thing as it is said of several."""
    verb, _, rest = said.partition(" ")
    return f"{base_of(verb)} {rest}".strip()


def base_of(verb: str) -> str:
    """Return the form of a verb that several have, of the one that one has: ``lie`` of ``lies``."""
    short = verb[:-1] if len(verb) < _SHORT else singular(verb)
    return {"is": "are", "has": "have", "does": "do", "goes": "go"}.get(verb, short)


def listing(names: list[str], joint: str = "and", more: str = "") -> str:
    """Return names as a list: ``the fork, the spoon and the knife``; of a long one the beginning."""
    left = len(names) - MOST
    if more and left > 1:
        return f"{', '.join(names[:MOST])} {joint} {left} {more}"
    return f" {joint} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def in_two_ways(one: Sequence[T], other: Sequence[T], said: Callable[[Sequence[T]], str]) -> str:
    """Return the question which of two is meant: what both say, and where they differ."""
    both = [part for part in one if part in other]
    rests = [said([part for part in way if part not in both]) for way in (one, other)]
    first, second = (rest or "nothing more" for rest in rests)
    lead = f"I understood: {said(both)}. I can read the rest" if both else "I can read that"
    return f"{lead} in two ways: first, {first}; second, {second}. Which is meant?"
