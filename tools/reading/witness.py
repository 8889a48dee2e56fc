"""Learn from the wordings what things of a text are spoken of for, and which constructions a text has.

python tools/reading/witness.py grounding/english/data/witness.npz

It takes a few minutes. What comes out right is printed for voices left out.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from examples import all_wordings, author_of, wordings_in
from meanings import told
from torch import Tensor
from torch.nn.functional import (
    binary_cross_entropy_with_logits,
    cross_entropy,
    embedding_bag,
    one_hot,
)
from train import LEFT_OUT, WORDINGS

from commonground.grounding.english.constructions import CONSTRUCTIONS, constructions_of
from commonground.grounding.english.contexts import BUCKETS, contexts, whole
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.purposes import PURPOSES, purposes_of
from commonground.grounding.english.utterance import Crew, Span
from commonground.grounding.english.witness import apart

Example = tuple[list[int], list[float]]
"""Rows of features, and which of the outcomes hold."""
Loss = Callable[[Tensor, Tensor], Tensor]
DETERMINED = re.compile(
    r"\b(?:the|an?|my|our|his|her|their|your|this|that|every|those)\s+(\w+)", re.I
)
"""Nouns of chatter: what stands behind these."""
ROUNDS, BATCH, DROPPED, RATE, SOFT = 4, 48, 0.3, 0.18, 4.0
"""Rounds, things at a time, share of features left out, rate, and what scores are divided by."""


def of_things(wording: dict[str, Any]) -> Iterator[Example]:
    """Yield the features and the purpose of each thing of a wording."""
    text, said, _, chatter = told(wording)
    purposes = dict(purposes_of(said))
    for start, end in chatter:
        for found in DETERMINED.finditer(text, start, end):
            purposes.setdefault(Span(found.start(1), found.end(1), found[1]), "talk")
    robots = {name for crew in parts_of(said, Crew) for name in crew.names}
    for thing, rows in contexts(text, purposes, robots):
        yield rows, [float(purpose == purposes[thing]) for purpose in PURPOSES]


def of_text(wording: dict[str, Any]) -> Iterator[Example]:
    """Yield the features of a wording and its constructions."""
    text, said, *_ = told(wording)
    things = apart(span for span, _ in purposes_of(said))
    robots = {name for crew in parts_of(said, Crew) for name in crew.names}
    found = constructions_of(said)
    if things:
        yield whole(text, things, robots), [float(name in found) for name in CONSTRUCTIONS]


def load(made_of: Callable[[dict[str, Any]], Iterator[Example]]) -> tuple[list[Example], ...]:
    """Return what is learned from, and what voices left out say."""
    learned: list[Example] = []
    left_out: list[Example] = []
    for path in all_wordings(WORDINGS):
        into = left_out if author_of(path) in LEFT_OUT.split(",") else learned
        for wording in wordings_in(path):
            if wording["domain"] == "scene":
                into += made_of(wording)
    return learned, left_out


def scores(weights: Tensor, batch: Sequence[Example]) -> tuple[Tensor, Tensor]:
    """Return the score of each outcome, and which hold."""
    rows = torch.tensor([row for found, _ in batch for row in found])
    starts = np.cumsum([0] + [len(found) for found, _ in batch[:-1]])
    made = embedding_bag(rows, weights, torch.tensor(starts), mode="sum") / SOFT
    return made, torch.tensor([right for _, right in batch])


def learn(learned: list[Example], left_out: list[Example], loss: Loss) -> dict[str, Any]:
    """Return weights in eight bits with their scale, learned by the gradient of a loss."""
    chance = np.random.default_rng(0)
    weights = torch.zeros(BUCKETS, len(learned[0][1]), requires_grad=True)
    steps = torch.optim.Adagrad([weights], lr=RATE)
    for _ in range(ROUNDS):
        order = chance.permutation(len(learned))
        for at in range(0, len(learned), BATCH):
            batch = [_thinned(learned[k], chance) for k in order[at : at + BATCH]]
            steps.zero_grad()
            loss(*scores(weights, batch)).backward()
            steps.step()
        with torch.no_grad():
            found, right = scores(weights, left_out)
            print(
                f"voices left out: {_share(found, right):.3f} right, loss {loss(found, right):.3f}"
            )
    values = weights.detach().numpy() / SOFT
    scale = np.abs(values).max() / 127
    return {"": np.round(values / scale).astype(np.int8), "_scale": np.float32(scale)}


def _thinned(example: Example, chance: np.random.Generator) -> Example:
    """Return an example less a share of its features."""
    rows = np.array(example[0])
    return rows[chance.random(len(rows)) > DROPPED].tolist(), example[1]


def _share(found: Tensor, right: Tensor) -> float:
    """Return how much is right: of outcomes that exclude each other the likeliest, else each."""
    if bool((right.sum(1) == 1).all()):
        found = one_hot(found.argmax(1), right.shape[1]).float() - 0.5
    return float(((found > 0) == (right > 0.5)).float().mean())


def main() -> None:
    """Learn both, and write their weights."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("out", type=Path)
    out = arguments.parse_args().out
    arrays = {}
    for name, made_of, loss in (
        ("purposes", of_things, cross_entropy),
        ("constructions", of_text, binary_cross_entropy_with_logits),
    ):
        made = learn(*load(made_of), loss)
        arrays |= {f"{name}{suffix}": value for suffix, value in made.items()}
    np.savez_compressed(out, **arrays)


if __name__ == "__main__":
    main()
