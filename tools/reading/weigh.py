"""Fit what the evidence for and against a candidate is worth.

    python tools/reading/weigh.py [--each 50] [--network FOLDER] [--out JUDGEMENT.json]

Texts by people whom the reader has not read are put on sites made for them, where what is right is known.
Beside them stand strangers' suites, on their own sites, and texts that must be asked about. Found is what
makes the right ones most probable (a conditional logit, in which "none" is an outcome). A check never speaks
for what it objects to, and what is seen seldom counts little. Each voice and each suite is also judged by the
weights that the others give.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[2]))

import numpy as np
from examples import author_of, wordings_in
from on_sites import is_suited, on_a_site
from scipy.optimize import minimize
from train import LEFT_OUT, WORDINGS

from benchmarks.asked import ASKED, texts_of
from benchmarks.strangers import FOLDER, unpacked
from commonground.grounding.answers import Grounding
from commonground.grounding.english.reader import Reader, load_reader
from commonground.grounding.frontends.candidates import JUDGEMENT, SURE, evidence
from commonground.grounding.frontends.reading import ReadBackend, meaning_of
from commonground.grounding.grounder import Grounder
from commonground.grounding.passes import Passes
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.suites import is_correct, load_suite
from commonground.grounding.world import World
from commonground.scene import load_scene

FREE = ("bias", "unlisted", "asking", "no order", "share", "whole", "pared")
"""Evidence that may speak for a candidate or against it."""
LITTLE, MUCH = 0.02, 0.5
"""How strongly weights are held where they are expected: those that are free, and those of checks."""
EXPECTED = -1.0
"""What an objection is worth as long as no text tells; one to talk is worth nothing."""
RARE, RARELY = 12, -1.5
"""What is seen in fewer texts is worth so much, whatever those are; what objects to talk, nothing."""
SELDOM = 0.25
"""What a text that must be asked about counts, beside one that must be acted on."""
MOSTLY = 1.5
"""What a text of a suite counts, on a site that nobody made for it."""
MORE = 4
"""So many times more of them are looked at."""
TINY = 1e-9
"""What is right is never held to be less probable."""
FOLDS = 5
ASIDE = ", aside"


class Known(NamedTuple):
    """A text of which it is known what is right."""

    text: str
    world: World
    is_right: Callable[[Grounding], bool] | None
    """None where the text must be asked about."""
    weight: float


class Choice(NamedTuple):
    """What one text may come to, and which of it is right."""

    voice: str
    found: list[dict[str, float]]
    right: list[bool]
    """Of what is found; nothing is where the text must be asked about, or was not read."""
    weight: float
    kind: str
    """Where the text is from: voices, strangers, or what must be asked about."""


def main() -> int:
    """Write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=50, help="texts of each voice")
    parser.add_argument("--network", type=Path, default=None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=JUDGEMENT)
    asked = parser.parse_args()
    voices = [f for name in LEFT_OUT.split(",") for f in WORDINGS.rglob(f"{name}.*")]
    look = partial(choices, each=asked.each, seed=asked.seed, network=asked.network)
    with ProcessPoolExecutor() as pool:
        found = [
            one
            for of in pool.map(
                look, [*voices, *sorted(ASKED.glob("*.txt")), *sorted(FOLDER.glob("*.yaml"))]
            )
            for one in of
        ]
    report(found)
    asked.out.write_text(json.dumps(fitted(found), indent=1, sort_keys=True) + "\n")
    return 0


def choices(file: Path, *, each: int, seed: int, network: Path | None) -> list[Choice]:
    """Return what texts of a file may come to."""
    reader = load_reader(network)
    known = {ASKED: asked_about, FOLDER: of_suite}.get(file.parent, of_voice)
    kind = {ASKED: "asked", FOLDER: "strangers"}.get(file.parent, "voices")
    return [
        one
        for text in known(file, each, random.Random(seed))  # noqa: S311
        for one in seen(author_of(file), kind, text, reader)
    ]


def of_voice(file: Path, each: int, rng: random.Random) -> Iterator[Known]:
    """Yield texts of a voice, each on a site that has what it speaks of."""
    wordings = [w for w in wordings_in(file) if w["domain"] == "scene" and is_suited(w)]
    rng.shuffle(wordings)
    for wording in wordings[:each]:
        case = on_a_site(author_of(file), wording)
        if case is not None:
            meant = meaning_of(Grounding("ok", case.goals, ""))
            yield Known(case.text, case.orders.maker.world, partial(_is_meant, meant), 1.0)


def _is_meant(meant: str, answer: Grounding) -> bool:
    return meaning_of(answer) == meant


def asked_about(file: Path, each: int, rng: random.Random) -> Iterator[Known]:
    """Yield texts that must be asked about, each on some site."""
    for text, world in texts_of(file, MORE * each, rng):
        yield Known(text, world, None, SELDOM)


def of_suite(file: Path, _each: int, _rng: random.Random) -> Iterator[Known]:
    """Yield all texts of a stranger's suite on its site."""
    with tempfile.TemporaryDirectory() as folder:
        suite = load_suite(unpacked(file.stem, Path(folder)))
        world = Grounder(load_scene(suite.scene), suite.team).world
    for item in (item for items in suite.lists.values() for item in items):
        yield Known(item.text, world, partial(is_correct, item) if item.accept else None, MOSTLY)


def seen(voice: str, kind: str, known: Known, reader: Reader) -> Iterator[Choice]:
    """Yield what a text may come to."""
    backend = ReadBackend(known.world, GroundingSettings(), reader)
    try:
        said = Passes(known.world).through(known.text)
    except Unclear:
        return
    read = backend.versions(said.text)
    if not read:
        return
    found = backend.candidates(read, said.text)
    ways = zip(found, evidence(found, [*read]), strict=True)
    goals = [(said.answered(one.way.answer), dict(of)) for one, of in ways if one.has_goals]
    is_right = known.is_right
    rights = [is_right is not None and is_right(answer) for answer, _ in goals]
    yield Choice(voice, [of for _, of in goals], rights, known.weight, kind)


def fitted(found: Sequence[Choice]) -> dict[str, float]:
    """Return the weights that make what is right most probable."""
    often = Counter(kind for one in found for kind in {k for of in one.found for k in of})
    kinds = [*FREE, *sorted(k for k, n in often.items() if n >= RARE and k not in FREE)]
    at = {kind: k for k, kind in enumerate(kinds)}
    owner = np.array([k for k, one in enumerate(found) for _ in one.found])
    amounts = np.zeros((len(owner), len(kinds)))
    for row, of in enumerate(of for one in found for of in one.found):
        for kind, amount in of.items():
            if kind in at:
                amounts[row, at[kind]] = amount
    right = np.array([good for one in found for good in one.right])
    weight = np.array([one.weight for one in found])
    none = np.array([not any(one.right) for one in found])
    held = np.array([LITTLE if kind in FREE else MUCH for kind in kinds])
    expected = np.array([0.0 if kind in FREE or _is_aside(kind) else EXPECTED for kind in kinds])

    def cost(worth: np.ndarray) -> tuple[float, np.ndarray]:
        odds = np.exp(np.minimum(amounts @ worth, 50.0))
        whole = 1.0 + np.bincount(owner, odds, len(found))
        shares = odds / whole[owner]
        likely = np.bincount(owner[right], odds[right], len(found)) + none
        loss = (
            -(weight * np.log(np.maximum(likely, TINY) / whole)).sum()
            + (held * (worth - expected) ** 2).sum()
        )
        slope = amounts.T @ (weight[owner] * (shares - right)) + 2 * held * (worth - expected)
        return float(loss), slope

    bounds = [(None, None) if kind in FREE else (None, 0.0) for kind in kinds]
    best = minimize(cost, expected, jac=True, method="L-BFGS-B", bounds=bounds)
    rare = {kind: 0.0 if _is_aside(kind) else RARELY for kind in often if kind not in at}
    return rare | {kind: round(float(w), 3) for kind, w in zip(kinds, best.x, strict=True)}


def _is_aside(kind: str) -> bool:
    return kind.endswith(ASIDE)


def report(found: Sequence[Choice]) -> None:
    """Print how each voice is judged by what the others give."""
    voices = sorted({one.voice for one in found})
    random.Random(0).shuffle(voices)  # noqa: S311
    tried: dict[str, list[tuple[float, bool]]] = {"voices": [], "strangers": [], "asked": []}
    for fold in range(FOLDS):
        out = set(voices[fold::FOLDS])
        worth = fitted([one for one in found if one.voice not in out])
        for one in (one for one in found if one.voice in out):
            tried[one.kind].append(_tried(one, worth))
    for limit in sorted({SURE, 0.5, 0.6, 0.8}):
        print(f"at {limit}:", end="")
        for name, of in tried.items():
            acted = [right for chance, right in of if chance >= limit]
            right, wrong = sum(acted) / len(of), (len(acted) - sum(acted)) / len(of)
            print(f"  {name} {right:.1%} right, {wrong:.1%} wrong of {len(of)}", end="")
        print()


def _tried(one: Choice, worth: dict[str, float]) -> tuple[float, bool]:
    """Return how probable the likeliest is, and whether it is right."""
    chance, best = _likeliest(one, worth)
    return chance, bool(one.found) and one.right[best]


def _likeliest(one: Choice, worth: dict[str, float]) -> tuple[float, int]:
    """Return how probable the likeliest is, and its place."""
    if not one.found:
        return 0.0, 0
    odds = [np.exp(sum(worth.get(k, 0.0) * n for k, n in of.items())) for of in one.found]
    best = int(np.argmax(odds))
    return odds[best] / (1 + sum(odds)), best


if __name__ == "__main__":
    sys.exit(main())
