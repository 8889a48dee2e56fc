"""What a text may come to: the answers to all ways to read it, and how probable each of them is.

A text is read as it stands, and without what it only tells. All ways that come to the same goals are one
candidate. How much of each version comes to it, and what the words of the text have against it, are its
evidence. What that is worth was fitted to people who had not been read, and to texts that must be asked
about: a conditional logit, in which "none of them" is an outcome, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from commonground.grounding.answers import Grounding
from commonground.grounding.english.parts import is_no_order
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.fidelity.check import Objection
from commonground.reading import read_json

Version = Literal["whole", "pared"]
"""A text as it stands, and without what it only tells."""
READ: tuple[Version, ...] = ("whole", "pared")
Evidence = Mapping[str, float]
"""How much of each kind of evidence there is, or what each kind is worth in log odds."""
SURE = 0.83
"""What is less probable is asked about."""
LIKELY = 0.3
"""What is less probable than this is no more worth asking about than what most of the readings come to."""
ANOTHER = 0.15
"""What is as probable as this beside the likeliest is asked about with it."""
TELLING = 0.1
"""What has less of what a candidate is likely by does not tell what it means."""
LEAST = 0.003
"""Shares below this hardly differ."""
EVIDENCE = frozenset([
    "unheard", "unwitnessed", "wrong_deeds", "wrong_verbs", "wrong_numbers", "unbidden",
    "unsaid_bans", "lost_ends",
])  # fmt: skip
"""Checks that object to what is meant too often to forbid it; what the others object to is never acted on."""
OF_ORDERS = frozenset(
    ["unread_sentences", "harmful", "strange", "lost_negation", "withdrawn", "kept_all_the_same"]
)
"""Checks that find orders, bans, and what takes them back; they find those that are taken for talk, too."""
JUDGEMENT = Path(__file__).parents[1] / "english" / "data" / "judgement.json"


class Way(NamedTuple):
    """One way to read a text, and what it comes to."""

    version: Version
    answer: Grounding
    sure: float
    """How probable it is that the version says this."""
    utterance: Utterance
    objections: tuple[Objection, ...] = ()
    """What the words of the text have against it."""

    @property
    def barred(self) -> bool:
        """Whether the text plainly says something else, or more: that is never acted on."""
        return any(map(_bars, self.objections))

    @property
    def fit(self) -> tuple[int, float]:
        """How well it fits the text."""
        return -sum(map(_bars, self.objections)), self.sure - len(self.objections)


class Candidate:
    """What some ways to read a text come to."""

    def __init__(self, ways: Sequence[Way]) -> None:
        mass = sum(way.sure for way in ways)
        likely = [way for way in ways if way.sure >= TELLING * mass]
        self.way = max(likely, key=lambda way: way.fit)
        """The way that fits the text best: of goals that are alike it may give another order."""
        self.masses: dict[Version, float] = {}
        """How probable this is, by each version of the text."""
        self.against: dict[str, float] = {}
        """How much of that each check objects to."""
        for way in ways:
            self.masses[way.version] = self.masses.get(way.version, 0.0) + way.sure
            for check in {kind for one in way.objections for kind in kinds_of(one)}:
                self.against[check] = self.against.get(check, 0.0) + way.sure

    @property
    def mass(self) -> float:
        return sum(self.masses.values())

    @property
    def has_goals(self) -> bool:
        return bool(self.way.answer.goals)

    @property
    def is_no_order(self) -> bool:
        """Whether nothing is asked for: it was taken back, was of another day, or is only imagined."""
        return not self.has_goals and is_no_order(self.way.utterance)


def kinds_of(objection: Objection) -> tuple[str, ...]:
    """Return the kinds of evidence that an objection is: what is only said aside is often none."""
    return ("aside", f"{objection.check}, aside") if objection.aside else (objection.check,)


class Weighed(NamedTuple):
    """What a text comes to most probably."""

    best: Candidate | None
    """The likeliest that has goals."""
    chance: float
    likeliest: Candidate
    """What to ask about."""
    another: Candidate | None
    """What may be meant as well."""
    no_order: float = 0.0
    """How much is read as no order at all."""

    @property
    def sure(self) -> bool:
        if self.best is None or self.best.way.barred:
            return False
        return self.chance >= SURE and (self.best.mass >= self.no_order or self.best.mass < LEAST)


def weighed(candidates: Sequence[Candidate], versions: Sequence[Version]) -> Weighed:
    """Return what candidates that were read from these versions of a text come to."""
    shares = chances(candidates, versions)
    order = sorted(range(len(candidates)), key=lambda k: -shares[k])
    goals = [k for k in order if candidates[k].has_goals]
    most = max(candidates, key=lambda one: one.mass)
    if not goals:
        return Weighed(None, 0.0, most, None)
    best, *others = goals
    another = candidates[others[0]] if others and shares[others[0]] >= ANOTHER else None
    likeliest = (
        candidates[best] if shares[best] >= LIKELY and _is_told(candidates[best], most) else most
    )
    no_order = sum(one.mass for one in candidates if one.is_no_order)
    return Weighed(candidates[best], shares[best], likeliest, another, no_order)


def _is_told(one: Candidate, most: Candidate) -> bool:
    """Return whether a candidate is read at all, beside what most of the readings come to."""
    return one.mass >= TELLING * most.mass


def chances(candidates: Sequence[Candidate], versions: Sequence[Version]) -> list[float]:
    """Return how probable it is that each candidate is meant; questions are never acted on."""
    worth = worth_of_evidence()
    scores = [_dot(one, worth) for one in evidence(candidates, versions)]
    odds = [
        math.exp(score) if one.has_goals else 0.0
        for one, score in zip(candidates, scores, strict=True)
    ]
    whole = 1.0 + sum(odds)
    return [one / whole for one in odds]


def evidence(candidates: Sequence[Candidate], versions: Sequence[Version]) -> Iterator[Evidence]:
    """Yield what speaks for and against each candidate, beside the others."""
    whole = sum(one.mass for one in candidates)
    of_all = _of_all(candidates, whole, len(versions))
    for one in candidates:
        found = {**of_all, "share": math.log(one.mass / (whole or 1.0) + LEAST)}
        for version in READ:
            read = version if version in versions else versions[0]
            found[version] = math.log(one.masses.get(read, 0.0) + LEAST)
        for check, against in one.against.items():
            found[check] = against / one.mass
        yield found


def _of_all(candidates: Sequence[Candidate], whole: float, versions: int) -> Evidence:
    """Return what speaks for and against all candidates alike.

    That is what no reading lists, what only asks, and how probable it is that nothing is to be done.
    """
    asking = sum(one.mass for one in candidates if not one.has_goals) / (whole or 1.0)
    nothing = sum(one.mass for one in candidates if one.is_no_order) / (whole or 1.0)
    unlisted = max(0.0, 1.0 - whole / versions)
    return {
        "bias": 1.0,
        "unlisted": math.log(unlisted + LEAST),
        "asking": math.log(asking + LEAST),
        "no order": nothing,
    }


@cache
def worth_of_evidence() -> Evidence:
    """Return what each kind of evidence is worth, as it was fitted (`tools/reading/weigh.py`)."""
    found: dict[str, float] = read_json(JUDGEMENT)
    return found


def _bars(objection: Objection) -> bool:
    return objection.check in OF_ORDERS if objection.aside else objection.check not in EVIDENCE


def _dot(found: Evidence, worth: Evidence) -> float:
    return sum(amount * worth.get(kind, 0.0) for kind, amount in found.items())
