"""Fit how sure the small encoder makes one, on maps of simulated worlds whose true things are known.

    PYTHONPATH=benchmarks python tools/looks/calibrate.py                     # about a minute a world
    PYTHONPATH=benchmarks python tools/looks/calibrate.py office:861 showroom:950   # on these alone

Kinds that are there and kinds that are not are asked for, as ``benchmarks/find_mapped.py`` does. Logistic
regression of what was so on the model's own log odds and on how much was seen of each thing, as Platt did
(1999) for machines. Then it is seen how sure to be for few of the kinds that are not there to be taken for
likely; so are kinds that are there, all things of which are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from find import fitting, seen
from find_mapped import ABSENT, ASKED, mapped
from scipy.optimize import minimize

from commonground.arrays import Bools, Floats
from commonground.grounding.lookup.looks import Looks
from commonground.looks import Calibration
from commonground.mapping.perception import Clip
from commonground.mapping.perception.small import NAME, simulated
from commonground.scene import SceneGraph
from tools.showroom.catalog import catalog

OUT = Path(__file__).resolve().parents[2] / f"mapping/perception/data/{NAME}.calibration.json"
WORLDS = (
    *(f"{kind}:{seed}" for seed in (861, 862, 863, 895, 896) for kind in ("campus", "office")),
    *(f"office:{seed}" for seed in (864, 897)),
    *(f"showroom:{seed}" for seed in (950, 951, 952, 960, 961)),
)
FIRST = 5
"""Answers that count where a kind is there; where it is not, the first does."""
TAKEN = 0.0125
"""Share of the kinds that are not there of which a thing may be taken for likely."""
SHOWROOM = "showroom"


@dataclass(frozen=True, slots=True)
class Answers:
    """The likeliest answers to a question: by the model alone, and what was so."""

    odds: Floats
    weight: Floats
    truth: Bools
    count: float
    """How many times each counts: as often as the benchmark would ask."""
    wrong: tuple[float, float]
    """Odds and weight of the likeliest thing that it is not."""


def main() -> None:
    """Read the command line, fit, and write the numbers."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("worlds", nargs="*", default=WORLDS, metavar="KIND:SEED")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    encoder = Clip(simulated())
    answers = [a for world in asked.worlds for a in answers_in(world, encoder)]
    prior, clarity = fitted(answers)
    numbers = Calibration(prior, clarity, sure(answers, prior, clarity))
    print(numbers)
    rounded = {name: round(value, 2) for name, value in asdict(numbers).items()}
    asked.out.write_text(json.dumps(rounded) + "\n")


def answers_in(world: str, encoder: Clip) -> Iterator[Answers]:
    """Yield the answers to questions about a world that is mapped now."""
    kind, number = world.split(":")
    seed = int(number)
    if kind == SHOWROOM:
        names = np.random.default_rng(seed).choice(sorted(catalog()), 60).tolist()
        graph, kinds, _ = seen(names, seed, encoder)
        yield from answers_of(graph, encoder, kinds, range(len(kinds)), kinds, len(kinds))
        return
    with tempfile.TemporaryDirectory() as scratch:
        here = mapped(kind, seed, encoder, Path(scratch))
    known = [row for row, well in enumerate(here.well) if well]
    there = [t.kind for t in here.world.things]
    yield from answers_of(here.graph, encoder, here.kinds, known, there, ASKED)


def answers_of(
    graph: SceneGraph,
    encoder: Clip,
    kinds: list[str],
    known: list[int] | range,
    there: list[str],
    most: int,
) -> Iterator[Answers]:
    """Yield the answers where each known row's kind is asked for, and each kind that is not there."""
    looks = Looks(graph, encoder)
    absent = [kind for kind in sorted(catalog()) if not fitting(there, kind)]
    asked = [(kinds[row], FIRST, min(1.0, most / max(1, len(known)))) for row in known]
    asked += [(kind, 1, min(1.0, ABSENT / max(1, len(absent)))) for kind in absent]
    for kind, first, count in asked:
        odds, weight = looks.odds("objects", kind)
        order = np.argsort(-np.nan_to_num(odds, nan=-np.inf), kind="stable")
        order = order[np.isfinite(odds[order])]
        truth = np.isin(order, sorted(fitting(kinds, kind)))
        wrong = order[~truth]
        if len(wrong):
            best, other = order[:first], (float(odds[wrong[0]]), float(weight[wrong[0]]))
            yield Answers(odds[best], weight[best], truth[:first], count, other)


def fitted(answers: list[Answers]) -> tuple[float, float]:
    """Return prior and clarity of the greatest likelihood."""
    odds, weight, truth = (
        np.concatenate([getattr(a, name) for a in answers]) for name in ("odds", "weight", "truth")
    )
    count = np.repeat([a.count for a in answers], [len(a.odds) for a in answers])

    def wrong(numbers: Floats) -> float:
        z = odds + numbers[0] + numbers[1] * np.log(weight)
        return float(np.average(np.logaddexp(0.0, z) - truth * z, weights=count))

    prior, clarity = minimize(wrong, [0.0, 0.0]).x
    return float(prior), float(clarity)


def sure(answers: list[Answers], prior: float, clarity: float) -> float:
    """Return the probability that so few of the things exceed that are none of what was asked for."""
    odds, weight = np.array([a.wrong for a in answers]).T
    p = Calibration(prior, clarity).chances(odds, weight)
    return float(np.clip(np.quantile(p, 1 - TAKEN), 0.5, 0.95))


if __name__ == "__main__":
    main()
