"""What a command may come to, and how probable each of it is.

A command is read as it stands and without talk. All ways to read it that come to the same are one
candidate. What speaks for and against each is its evidence. What that is worth was fitted to commands that
strangers gave in homes of their own (`tools/reading/weigh_homes.py`): a conditional logit, in which "none of
them" is an outcome, too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from commonground.grounding.english.faithful import EXCEPTIONS, NEGATIONS
from commonground.grounding.problem_writer.goals import Wish, is_reached
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.questions import first_asked, which_is_meant
from commonground.grounding.problem_writer.wishes.senses import Way, sense_of
from commonground.grounding.problem_writer.wishes.told import Objection, Told
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.numbers import count_of, rank_of
from commonground.planning.pddl.strata import literals
from commonground.reading import read_json

Version = Literal["whole", "quiet"]
"""The command as it stands, and without talk."""
VERSIONS: tuple[Version, ...] = ("whole", "quiet")
Masses = Mapping[Version, float]
"""How probable something is by each version."""
Evidence = Mapping[str, float]
"""How much of each kind of evidence there is, or what each kind is worth in log odds."""
LEAST = 0.003
"""Shares below this hardly differ."""
MOST = 3
"""More objections of one check than this count as this many."""
TELLING = 0.1
"""What is read hardly at all beside something else is asked about, whatever speaks against that."""
TOLD = 0.5
"""What is less probable than this share of what comes to the same does not tell its order, or its bans."""
SURE = 0.5
"""What is less probable is asked about."""
ANOTHER = 0.5
"""What is as probable as this share of the likeliest is asked about with it."""
CHECKS = (
    "lost", "undenied", "invented", "unheeded", "unasked", "forbidden", "excluded", "untouched", "unknown",
    "unpromised", "both", "quoted", "unmanned", "undone", "contrary", "own", "unheard", "passed over",
)  # fmt: skip
"""What the words of a command may have against a wish."""
BARS = frozenset([
    "unmanned", "undone", "contrary", "own", "undenied", "invented", "forbidden", "excluded", "unknown",
    "unpromised", "quoted",
])  # fmt: skip
"""What is never acted on; the others object to what is meant too often for that."""
JUDGEMENT = Path(__file__).parents[1] / "data" / "judgement.json"


class Candidate(NamedTuple):
    """What some ways to read a command come to."""

    wish: Wish
    """The strictest of them."""
    evidence: Evidence
    sense: Hashable
    objections: tuple[Objection, ...] = ()

    @property
    def barred(self) -> Objection | None:
        """What stands against acting on it, however probable it is."""
        lost = self.evidence["lost"] > 0 and self.evidence["passed over"] > 0
        bars = BARS | {"lost"} if lost else BARS
        return next((one for one in self.objections if one.check in bars), None)


def candidates(ways: Sequence[tuple[Version, Way]], command: Told) -> list[Candidate]:
    """Return what ways to read a command come to; what only asks is none of it."""
    graph = command.accounts.home.graph
    found: dict[Hashable, list[tuple[Version, Way]]] = {}
    for version, way in ways:
        found.setdefault(sense_of(way.found, graph), []).append((version, way))
    masses = {sense: _masses(of) for sense, of in found.items()}
    of_all = _of_all(ways, masses)
    made = []
    for sense, of in found.items():
        if sense is not None:
            wish = _strictest(of)
            objections = (*_passed_over(of, graph.robots()), *command.objections(wish))
            evidence = {**of_all, **_of_one(wish, of, masses, sense), **_counted(objections)}
            evidence["reached"] = float(is_reached(wish.goal, graph)) * (1.0 - evidence["sure"])
            made.append(Candidate(wish, evidence, sense, objections))
    return made


def _of_all(ways: Sequence[tuple[Version, Way]], masses: Mapping[Hashable, Masses]) -> Evidence:
    """Return what speaks for and against all candidates alike.

    That is what no reading lists, what only asks, and how probable it is that nothing is asked for, or only
    under a condition.
    """
    whole = sum(map(_mean, masses.values()))
    read = [way for _, way in ways]
    return {
        "bias": 1.0,
        "asking": math.log(_mean(masses.get(None, {})) / (whole or 1.0) + LEAST),
        "unlisted": math.log(max(0.0, 1.0 - whole) + LEAST),
        "no order": sum(way.probability for way in read if way.idle)
        / (len(VERSIONS) * whole or 1.0),
        "bound": sum(way.probability for way in read if way.bound) / (len(VERSIONS) * whole or 1.0),
    }


def _of_one(
    wish: Wish,
    ways: Sequence[tuple[Version, Way]],
    masses: Mapping[Hashable, Masses],
    sense: Hashable,
) -> dict[str, float]:
    """Return how probable a candidate is by each version, and how much it asks for."""
    whole = sum(map(_mean, masses.values())) or 1.0
    return {
        "share": math.log(_mean(masses[sense]) / whole + LEAST),
        **{version: math.log(masses[sense].get(version, 0.0) + LEAST) for version in VERSIONS},
        "sure": _mean(masses[sense]),
        "vague": float(wish.vague),
        "parts": math.log(1 + len({*literals(wish.goal)})),
    }


def _passed_over(ways: Sequence[tuple[Version, Way]], robots: Sequence[str]) -> Iterator[Objection]:
    """Yield what the likeliest way passes over.

    Who does it, to how many and to which of them, and what is left out, is never lost.
    """
    best = max((way for _, way in ways), key=lambda way: way.probability)
    told = {*map(str.casefold, robots), *(word for word, _ in EXCEPTIONS)}
    for each in best.left_out:
        word = each.casefold()
        strict = word in told or count_of(word) or rank_of(word)
        check = "undone" if strict else "unheard" if word in NEGATIONS else "passed over"
        yield Objection(check, f"What about '{each}'?")


def _counted(objections: Sequence[Objection]) -> dict[str, float]:
    found = Counter(one.check for one in objections)
    return {check: float(min(found[check], MOST)) for check in CHECKS}


def chances(found: Sequence[Candidate]) -> list[float]:
    """Return how probable it is that each candidate is meant."""
    worth = worth_of_evidence()
    odds = [
        math.exp(sum(amount * worth.get(kind, 0.0) for kind, amount in one.evidence.items()))
        for one in found
    ]
    return [one / (1.0 + sum(odds)) for one in odds]


def likeliest(
    found: Sequence[Candidate], ways: Sequence[tuple[Version, Way]], accounts: Accounts
) -> Wish:
    """Return what is meant most probably; raises what to ask where that is unsure, or something is amiss."""
    if not found:
        raise first_asked([way for _, way in ways])
    likely = sorted(zip(chances(found), found, strict=True), key=lambda one: -one[0])
    chance, best = likely[0]
    idle = best.evidence["no order"] > math.exp(best.evidence["share"])
    told = best.evidence["sure"] >= TELLING * max(one.evidence["sure"] for one in found)
    if chance >= SURE and told and not (best.barred or idle):
        return best.wish
    read = max((way for _, way in ways), key=lambda way: way.probability)
    raise read.found if isinstance(read.found, Unclear) else _question(likely, accounts)


def _question(likely: Sequence[tuple[float, Candidate]], accounts: Accounts) -> Unclear:
    """Return what is amiss with the likeliest, which of two is meant, or whether it is."""
    (chance, best), *others = likely
    if best.barred is None and others and others[0][0] >= ANOTHER * chance:
        return which_is_meant([best.wish, others[0][1].wish], accounts)
    amiss = best.barred or next(iter(best.objections), None)
    if amiss is None or amiss.check == "invented":
        return which_is_meant([best.wish], accounts)
    return Unclear(amiss.question)


@cache
def worth_of_evidence() -> Evidence:
    """Return what each kind of evidence is worth."""
    found: dict[str, float] = read_json(JUDGEMENT)
    return found


def _masses(ways: Sequence[tuple[Version, Way]]) -> Masses:
    """Return how probable ways are by the version that they were read from."""
    found: dict[Version, float] = {}
    for version, way in ways:
        found[version] = found.get(version, 0.0) + way.probability
    return found


def _mean(masses: Masses) -> float:
    return sum(masses.values()) / len(VERSIONS)


def _strictest(ways: Sequence[tuple[Version, Way]]) -> Wish:
    """Return the wish of several that come to the same which says most, of those that are told."""
    most = max(way.probability for _, way in ways)
    told = (way.found for _, way in ways if way.probability >= TOLD * most)
    return max((wish for wish in told if isinstance(wish, Wish)), key=strictness)


def strictness(wish: Wish) -> int:
    """Return how much a wish says: a reader may pass over an order, a ban, or where something is done."""
    asked = {
        (atom.predicate, atom.args[-1 if atom.predicate == "contains" else 0 :], so)
        for atom, so in literals(wish.goal)
    }
    return len(asked) + len(wish.before) + len(wish.spared) + len(wish.barred)
