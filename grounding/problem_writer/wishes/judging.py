"""What a command may come to, and how probable each of it is.

All ways to read a command that come to the same are one candidate: the command as it stands, without what
it only tells, and what rules work out of it. What speaks for and against each is its evidence. What that is
worth was fitted to commands that strangers gave in homes of their own (`tools/reading/weigh_homes.py`): a
conditional logit, in which "none of them" is an outcome, too.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from commonground.grounding.english.weighing import Weighed
from commonground.grounding.problem_writer.goals import Wish, is_reached
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.heeding import unasked, unheeded
from commonground.grounding.problem_writer.wishes.questions import which_is_meant
from commonground.grounding.problem_writer.wishes.senses import Way, sense_of
from commonground.grounding.problem_writer.wishes.told import Told
from commonground.planning.pddl.strata import literals
from commonground.reading import read_json

Source = Literal["whole", "pared", "worked out"]
"""The command as it stands, without what it only tells, or what was worked out of it by rules."""
Evidence = Mapping[str, float]
"""How much of each kind of evidence there is, or what each kind is worth in log odds."""
LEAST = 0.003
"""Shares below this hardly differ."""
MOST = 3
"""More objections of one check than this count as this many."""
FAIRLY = 0.3
"""What rules and network make of a command is asked about if it is less probable."""
JUDGEMENT = Path(__file__).parents[1] / "data" / "judgement.json"


class Candidate(NamedTuple):
    """What some ways to read a command come to."""

    wish: Wish
    """The strictest of them."""
    evidence: Evidence
    sense: Hashable


def candidates(
    ways: Iterable[tuple[Source, Way]], accounts: Accounts, graph: HouseGraph
) -> list[Candidate]:
    """Return what ways to read a command come to; what only asks is none of it."""
    found: dict[Hashable, list[tuple[Source, Way]]] = {}
    for source, way in ways:
        found.setdefault(sense_of(way.found, graph), []).append((source, way))
    masses = {sense: _masses(of) for sense, of in found.items()}
    whole = sum(_mean(of) for of in masses.values()) or 1.0
    made = []
    for sense, of in found.items():
        wishes = [way.found for _, way in of if isinstance(way.found, Wish)]
        if wishes:
            wish = max(wishes, key=strictness)
            by_rules = any(source == "worked out" for source, _ in of)
            evidence = {
                "bias": 1.0,
                "share": math.log(_mean(masses[sense]) / whole + LEAST),
                "whole": math.log(masses[sense].get("whole", 0.0) + LEAST),
                "worked out": float(by_rules),
                "reached": float(not by_rules and is_reached(wish.goal, graph)),
                **_objections(wish, accounts),
            }
            made.append(Candidate(wish, evidence, sense))
    return made


def chances(found: Sequence[Candidate]) -> list[float]:
    """Return how probable it is that each candidate is meant."""
    worth = worth_of_evidence()
    odds = [
        math.exp(sum(amount * worth.get(kind, 0.0) for kind, amount in one.evidence.items()))
        for one in found
    ]
    return [one / (1.0 + sum(odds)) for one in odds]


def check(wish: Wish, found: Sequence[Candidate], command: Told, graph: HouseGraph) -> None:
    """Raise the question whether the likeliest is meant, where what rules worked out is too improbable."""
    likely = sorted(zip(chances(found), found, strict=True), key=lambda one: -one[0])
    sense = sense_of(wish, graph)
    if any(chance >= FAIRLY and one.sense == sense for chance, one in likely):
        return
    best = [Weighed((Way(one.wish),), chance) for chance, one in likely[:1]]
    raise which_is_meant(best, command.accounts)


@cache
def worth_of_evidence() -> Evidence:
    """Return what each kind of evidence is worth."""
    found: dict[str, float] = read_json(JUDGEMENT)
    return found


def _masses(ways: Sequence[tuple[Source, Way]]) -> dict[Source, float]:
    """Return how probable ways are by what they were read from; what was worked out has no probability."""
    found: dict[Source, float] = {}
    for source, way in ways:
        if source != "worked out":
            found[source] = found.get(source, 0.0) + way.probability
    return found


def _mean(masses: Mapping[Source, float]) -> float:
    return sum(masses.values()) / 2


def _objections(wish: Wish, accounts: Accounts) -> dict[str, float]:
    """Return what the words of a command have against a wish, and how much it asks for."""
    account = accounts.of(wish)
    found: dict[str, Iterable[str]] = {
        "lost": account.lost,
        "invented": account.invented,
        "unheeded": unheeded(wish, accounts),
        "unasked": unasked(wish, accounts),
        "untouched": accounts.untouched(wish),
    }
    return {check: float(min(len([*of]), MOST)) for check, of in found.items()} | {
        "vague": float(wish.vague),
        "parts": math.log(1 + len({*literals(wish.goal)})),
    }


def strictness(wish: Wish) -> int:
    """Return how much a wish says: a reader may pass over an order, a ban, or where something is done."""
    asked = {
        (atom.predicate, atom.args[-1 if atom.predicate == "contains" else 0 :], so)
        for atom, so in literals(wish.goal)
    }
    return len(asked) + len(wish.before) + len(wish.spared) + len(wish.barred)
