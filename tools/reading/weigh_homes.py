"""Fit what the evidence for and against a reading of a household command is worth.

    python tools/reading/weigh_homes.py [--network FOLDER] [--out JUDGEMENT.json]

Found is what makes the right readings of strangers' commands (`benchmarks/homes`) most probable: a
conditional logit, in which "none" is an outcome. Each home is also judged by the weights of the others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[2]))

import numpy as np
from scipy.optimize import minimize

from benchmarks.homes import UNSEEN, commands, is_meant, names
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.judging import (
    CHECKS,
    JUDGEMENT,
    SURE,
    Candidate,
    Evidence,
)
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear

OBJECTIONS = (*CHECKS, "reached")
"""Evidence that never speaks for a candidate."""
HELD = 0.3
"""How strongly weights are held at nothing."""
SEEN = [name for name in names() if name not in UNSEEN]
TINY = 1e-9
LIMITS = sorted({SURE, 0.5, 0.6, 0.7})
SELDOM = 0.5
"""What a command that must be asked about counts, beside one that must be acted on."""


class Choice(NamedTuple):
    """What one command may come to, and which of it is right."""

    home: str
    found: list[Candidate]
    right: list[bool]
    must_ask: bool


def main() -> int:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", type=Path, default=None)
    parser.add_argument("--out", type=Path, default=JUDGEMENT)
    asked = parser.parse_args()
    with ProcessPoolExecutor() as pool:
        homes = pool.map(partial(choices, network=asked.network), SEEN)
        found = [choice for home in homes for choice in home]
    report(found)
    asked.out.write_text(json.dumps(fitted(found), indent=1, sort_keys=True) + "\n")
    return 0


def choices(name: str, network: Path | None) -> list[Choice]:
    """Return what the commands of a home may come to."""
    reader = WishReader.load(Kinds.load(), weights=network)
    made = []
    for command in commands(name):
        try:
            found = reader.candidates(command.task.text, command.graph)
        except Unclear:
            found = []
        rights = [is_meant(one.wish, command) for one in found]
        made.append(Choice(name, found, rights, command.must_ask))
    return made


def fitted(found: Sequence[Choice]) -> dict[str, float]:
    """Return the weights that make what is right most probable."""
    kinds = sorted({kind for one in found for of in one.found for kind in of.evidence})
    owner = np.array([k for k, one in enumerate(found) for _ in one.found])
    amounts = np.array(
        [[of.evidence.get(kind, 0.0) for kind in kinds] for one in found for of in one.found]
    )
    right = np.array([good for one in found for good in one.right])
    none = np.array([not any(one.right) for one in found])
    weight = np.array([SELDOM if one.must_ask else 1.0 for one in found])

    def cost(worth: np.ndarray) -> tuple[float, np.ndarray]:
        odds = np.exp(np.minimum(amounts @ worth, 50.0))
        whole = 1.0 + np.bincount(owner, odds, len(found))
        likely = np.maximum(np.bincount(owner[right], odds[right], len(found)) + none, TINY)
        meant = np.where(right, odds / likely[owner], 0.0)
        slope = amounts.T @ (weight[owner] * (odds / whole[owner] - meant)) + 2 * HELD * worth
        return float(-(weight * np.log(likely / whole)).sum() + (HELD * worth**2).sum()), slope

    bounds = [(None, 0.0) if kind in OBJECTIONS else (None, None) for kind in kinds]
    best = minimize(cost, np.zeros(len(kinds)), jac=True, method="L-BFGS-B", bounds=bounds)
    return {kind: round(float(w), 3) for kind, w in zip(kinds, best.x, strict=True)}


def report(found: Sequence[Choice]) -> None:
    """Print how each home is judged by what the others give."""
    tried: list[tuple[Choice, float, bool]] = []
    for home in SEEN:
        worth = fitted([one for one in found if one.home != home])
        tried += [(one, *_likeliest(one, worth)) for one in found if one.home == home]
    listed = sum(any(one.right) for one in found)
    must_ask = sum(one.must_ask for one in found)
    print(
        f"of {len(found) - must_ask} what is meant is listed for {listed}, {must_ask} must be asked about"
    )
    for limit in LIMITS:
        acted = [(one, good) for one, chance, good in tried if chance >= limit]
        given = sum(one.must_ask for one, _ in acted)
        right = sum(good for _, good in acted)
        print(f"at {limit}: {right} right, {len(acted) - right - given} wrong, {given} given")


def _likeliest(one: Choice, worth: Evidence) -> tuple[float, bool]:
    """Return how probable the likeliest is, and whether it is right; nothing that is barred is acted on."""
    if not one.found:
        return 0.0, False
    odds = [
        np.exp(sum(worth[kind] * amount for kind, amount in of.evidence.items()))
        for of in one.found
    ]
    best = int(np.argmax(odds))
    barred = one.found[best].barred is not None
    return 0.0 if barred else odds[best] / (1 + sum(odds)), one.right[best]


if __name__ == "__main__":
    sys.exit(main())
