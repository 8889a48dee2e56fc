"""What somebody most likely says: all ways to read it, of either reader, weighed by their fit to the world.

A network is sure of much that makes no sense here, and unsure of much of which only one way does. People
speak of things that there are, report what changes something, and every thing they name has to do with it.
So a reading counts by the network's probability, by the words and names that it leaves out, by whether it
can be understood and changes anything, and by whether another reader takes the text alike; ways that come to
the same count together, and what is not listed counts too. This is a log-linear model (Och and Ney 2002);
its few weights were fitted to reports with known truth.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from commonground.grounding.english.faithful import EXCEPTIONS, NEGATIONS

A = TypeVar("A")
SURE = 0.7
"""What is less probable than this is asked about."""
WORTH = 0.15
"""What is less probable than this is not worth asking about."""
MOST = 3
"""More words or names left out than this count as this many."""
NEVER = 1e-6
"""The least probability that a reading is given."""

NO_OR_BUT = NEGATIONS | {word for word, _ in EXCEPTIONS}


class Evidence(NamedTuple):
    """What speaks for and against a reading: how much of each, or what each is worth in log odds."""

    network: float = 0.0
    """The logarithm of the network's probability, beside that of its likeliest utterance."""
    likeliest: float = 0.0
    """The logarithm of that: the network is far too sure of whole sentences."""
    left_out: float = 0.0
    """Names, numbers and negations of the text that are in no span of the utterance."""
    untouched: float = 0.0
    """Things of the world that are named and that it has nothing to do with."""
    unmoved: float = 0.0
    """People of whom that is so, and the robot if it is spoken to as the owner of something."""
    unnamed: float = 0.0
    """People and robots that it moves and that the text does not name."""
    nothing: float = 0.0
    """Whether it changes nothing of what is believed, or of the things it tells of only who handled them."""
    lost: float = 0.0
    """Things that it takes from where they are without telling where they are now."""
    open: float = 0.0
    """Whether something of it is not understood."""
    unclear: float = 0.0
    """Whether it cannot be understood in this world."""
    no_report: float = 0.0
    """Whether it is no certain report: chatter, a wish, hearsay."""
    rules: float = 0.0
    """Whether it is that of the rules."""
    alike: float = 0.0
    """Whether both readers read it."""
    unlisted: float = 0.0
    """For what none of them lists."""
    unreal: float = 0.0
    """More of that, where the rules take the text for a wish or fancy."""
    undone: float = 0.0
    """Whether somebody is named who has nothing to do with it, while nobody did what it tells."""
    single: float = 0.0
    """Whether it moves only what is named, where the text speaks of the rest or of all that was there."""
    done: float = 0.0
    """Whether it asks for what is so already."""

    def dot(self, other: Evidence) -> float:
        """Return what evidence is worth."""
        return sum(one * two for one, two in zip(self, other, strict=True))


WEIGHTS = Evidence(
    network=0.3, likeliest=0.12, left_out=-1.8, untouched=-1.7, unmoved=-0.5, unnamed=-2.1,
    nothing=-4.0, lost=-1.5, open=-2.2, unclear=-4.0, no_report=-3.7, rules=0.4, alike=2.8,
    unlisted=-2.0, unreal=0.7, undone=-1.5, single=-3.0,
    done=-1.5,
)  # fmt: skip
RULES = Evidence(rules=1)


class Weighed(NamedTuple, Generic[A]):
    """What some ways to read a text come to, the likeliest way first."""

    ways: tuple[A, ...]
    share: float
    """How probable it is that this was meant."""


def heard(
    probabilities: Sequence[float], at: int, left_out: Collection[str], *, alike: bool
) -> Evidence:
    """Return what speaks for one of the utterances that a network hears; a negation counts most."""
    denied = any(word.casefold() in NO_OR_BUT for word in left_out)
    most = math.log(max(*probabilities, NEVER))
    own = math.log(max(probabilities[at], NEVER))
    return Evidence(
        own - most, most, left_out=MOST if denied else min(len(left_out), MOST), alike=alike
    )


def is_senseless(ways: Iterable[tuple[float, bool]]) -> bool:
    """Return whether a network is sure of what makes no sense: it is asked about, not bent into what does.

    Each way to read the text comes with the network's probability and whether it makes no sense here.
    """
    return sum(probability for probability, senseless in ways if senseless) >= SURE


def weigh(
    ways: Iterable[tuple[A, Hashable, Evidence]], *, unreal: bool = False
) -> list[Weighed[A]]:
    """Return what a text may mean, the likeliest first; what is not listed has the rest of the shares.

    Each way comes with what it comes to, and what speaks for and against it.
    """
    found: dict[Hashable, list[tuple[float, A]]] = {}
    for way, sense, evidence in ways:
        found.setdefault(sense, []).append((math.exp(evidence.dot(WEIGHTS)), way))
    total = math.exp(Evidence(unlisted=1, unreal=unreal).dot(WEIGHTS))
    total += sum(weight for of in found.values() for weight, _ in of)
    weighed = [
        Weighed(
            tuple(way for _, way in sorted(of, key=lambda one: -one[0])),
            sum(weight for weight, _ in of) / total,
        )
        for of in found.values()
    ]
    return sorted(weighed, key=lambda one: -one.share)
