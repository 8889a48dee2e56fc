"""Train the reader of English on the wordings.

    python tools/reading/lexicon.py WORDS.npz --nouns NOUNS.txt
    python tools/reading/train.py OUT.pt --words WORDS.npz --nouns NOUNS.txt --minutes 60
    python tools/reading/export.py OUT.pt WORDS.npz

The voices named by ``--leave-out`` are not learned from; the share of their wordings whose meaning comes
out right, each symbol given those before it, is printed on the way.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from augment import Augmenter
from batches import IGNORED, Batcher
from examples import Example, all_wordings, author_of, load, scopes_of
from network import Network, Size
from pieces import alone
from torch import Tensor
from torch.nn.functional import cross_entropy

WORDINGS = Path(__file__).parent / "wordings"
LEFT_OUT = (
    "a07,a12,a22,a30,b004,b006,b016,b014,b023,b018,b026,b032,b091,b088,b117,b106,b140,b227,"
    "b220,b274,b266,b058,b068,b174,b073,b079,b259,"
    "b330,b331,b332,b333,b334,b378"
)
"""Voices that the shipped reader has never read; what is said of its quality is measured on them."""
OFTEN = ((10, 3), (16, 2), (1000, 1))
"""Tokens, and how often a text of at most so many that was told by a sheet is learned in a round."""
FREELY = 3
"""How often a text that somebody wrote freely is learned in a round: that is how people speak."""
TOLD = 0.8
"""The share of the texts told by sheets that is learned in a round."""
HALVES = torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()
"""Whether numbers of half the length are faster: without a unit for them they take twice the time."""


def fresh(
    examples: list[Example], augment: Augmenter, size: int, rng: np.random.Generator
) -> Iterator[list[Example]]:
    """Yield lists of fresh examples of about the same length, for ever."""
    while True:
        # authors wrote long texts; what people say to a robot is mostly short
        often = [
            FREELY
            if e.author.startswith("b")
            else next(n for m, n in OFTEN if len(e.tokens) <= m) * (rng.random() < TOLD)
            for e in examples
        ]
        order = rng.permutation(np.repeat(np.arange(len(examples)), often))
        for at in range(0, len(order) - 16 * size + 1, 16 * size):
            made = [sound(augment(e), e) for e in (examples[i] for i in order[at : at + 16 * size])]
            made.sort(key=lambda e: len(e.tokens) + len(e.items))
            groups = [made[i : i + size] for i in range(0, len(made), size)]
            for k in rng.permutation(len(groups)):
                yield groups[k]


def sound(made: Example, plain: Example) -> Example:
    """Return an example that was made of a plain one, or that one where what was made is no utterance."""
    try:
        scopes_of(made.items)
    except (KeyError, ValueError):
        return plain
    ends = [0, *(end for _, end, _ in made.segments)]
    starts = [*(start for start, _, _ in made.segments), len(made.tokens)]
    return made if all(end <= start for end, start in zip(ends, starts, strict=True)) else plain


def loss_of(net: Network, b: dict[str, Tensor]) -> Tensor:
    """Return how far tags and symbols are from a batch's own."""
    kind = net.symbols.weight.dtype
    tags, symbols = net({k: a.to(kind) if a.is_floating_point() else a for k, a in b.items()})
    found = [(tags, b["tags"]), (symbols, b["out"])]
    losses = [
        cross_entropy(s.float().flatten(0, 1), truth.flatten(), ignore_index=IGNORED)
        for s, truth in found
    ]
    return losses[0] + losses[1]


class Fast:
    """A copy of a network, in numbers of half the length, does the sums; the network itself takes the steps.

    Twice as fast as casting at each layer, where the processor has a unit for such numbers.
    """

    def __init__(self, net: Network) -> None:
        self.net = net
        self.copy = copy.deepcopy(net).bfloat16() if HALVES else net

    def loss(self, batch: dict[str, Tensor]) -> Tensor:
        """Return the loss of a batch, its gradient being left with the network."""
        loss = loss_of(self.copy, batch)
        loss.backward()  # type: ignore[no-untyped-call]
        if self.copy is not self.net:
            for whole, half in zip(self.net.parameters(), self.copy.parameters(), strict=True):
                whole.grad = None if half.grad is None else half.grad.float()
                half.grad = None
        return loss.detach()

    @torch.no_grad()
    def follow(self) -> None:
        """Take over what the network has learned."""
        if self.copy is not self.net:
            for whole, half in zip(self.net.parameters(), self.copy.parameters(), strict=True):
                half.copy_(whole)


@torch.no_grad()
def judged(net: Network, batcher: Batcher, examples: list[Example]) -> str:
    """Return the share of meanings of which every tag and symbol is the likeliest one, by domain."""
    net.eval()
    right: dict[str, list[bool]] = defaultdict(list)
    ordered = sorted(examples, key=lambda e: len(e.tokens))
    for at in range(0, len(ordered), 64):
        group = ordered[at : at + 64]
        b = batcher(group)
        whole = torch.ones(len(group), dtype=torch.bool)
        for scores, truth in zip(net(b), (b["tags"], b["out"]), strict=True):
            whole &= ((scores.argmax(-1) == truth) | (truth == IGNORED)).all(1)
        for example, good in zip(group, whole.tolist(), strict=True):
            right[example.domain].append(good)
    net.train()
    return "  ".join(f"{domain} {np.mean(good):.3f}" for domain, good in sorted(right.items()))


def train(
    net: Network,
    batcher: Batcher,
    data: list[Example],
    test: list[Example],
    asked: argparse.Namespace,
) -> None:
    """Train for the minutes asked for, the rate of learning falling to nothing."""
    rng = np.random.default_rng(asked.seed)
    nouns = asked.nouns.read_text().splitlines() if asked.nouns else []
    optimizer = torch.optim.AdamW(
        net.parameters(), lr=asked.rate, weight_decay=0.03, betas=(0.9, 0.98), fused=True
    )
    fast = Fast(net)
    begun, told, seen, total = time.monotonic(), 0.0, 0, 0.0
    augmenter = Augmenter(data, nouns, asked.seed)
    for example in test:
        example.hints = augmenter.hinted(example)
    groups = fresh(data, augmenter, asked.batch, rng)
    for step, group in enumerate(groups, 1):
        gone = (time.monotonic() - begun) / 60
        if gone > asked.minutes:
            break
        part = 0.5 * (1 + math.cos(math.pi * gone / asked.minutes)) + 0.005
        for parameters in optimizer.param_groups:
            parameters["lr"] = asked.rate * min(1.0, step / 150) * part
        loss = fast.loss(batcher(group, drop=0.1))
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        fast.follow()
        seen += len(group)
        total += 0.02 * (loss.item() - total)
        if gone > told:
            told = gone + 5
            shares = judged(net, batcher, test[:500]) if test else ""
            print(
                f"{gone:.1f} min  epoch {seen / len(data):.1f}  loss {total:.3f}  {shares}",
                flush=True,
            )
            keep(net, asked.out)


def keep(net: Network, out: Path) -> None:
    """Write the network."""
    torch.save({"state": net.state_dict(), "size": asdict(net.size)}, out)


def grown(state: dict[str, Tensor], net: Network) -> dict[str, Tensor]:
    """Return the numbers of a network that knew less of its words: what is new counts for nothing yet."""
    into = state["encoder.into.weight"]
    lacking = net.encoder.into.in_features - into.shape[1]
    return state | {"encoder.into.weight": torch.nn.functional.pad(into, (0, lacking))}


def arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=Path, required=True)
    parser.add_argument("--nouns", type=Path)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--leave-out", default=LEFT_OUT)
    parser.add_argument("--share", type=float, default=1.0, help="of the wordings to learn from")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--size", default="{}", help="fields of network.Size, as JSON")
    parser.add_argument("--start", type=Path, help="go on with a network that was trained before")
    return parser.parse_args()


def main() -> int:
    """Train and write the network."""
    asked = arguments()
    torch.set_flush_denormal(True)
    torch.manual_seed(asked.seed)
    out = set(asked.leave_out.split(",")) - {""}
    files = all_wordings(WORDINGS)
    data = load(f for f in files if author_of(f) not in out)
    data += [piece for e in data for piece in alone(e)]
    test = load(f for f in files if author_of(f) in out)
    rng = np.random.default_rng(asked.seed)
    data = [data[i] for i in rng.permutation(len(data))[: round(asked.share * len(data))]]
    test = [test[i] for i in rng.permutation(len(test))]
    lexicon = np.load(asked.words)
    width = lexicon["vectors"].shape[1]
    vectors = lexicon["vectors"].astype(np.float32) / 32
    batcher = Batcher(dict(zip(lexicon["words"].tolist(), vectors, strict=True)), width)
    size = Size(**({"words": width} | json.loads(asked.size)))
    net = Network(size)
    if asked.start is not None:
        net.load_state_dict(grown(torch.load(asked.start)["state"], net))
    count = sum(p.numel() for p in net.parameters()) / 1e6
    print(f"{count:.1f} M numbers, {len(data)} wordings, {len(test)} left out", flush=True)
    train(net, batcher, data, test, asked)
    keep(net, asked.out)
    if test:
        print("left out, all:", judged(net, batcher, test), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
