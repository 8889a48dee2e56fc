"""The image tower learns to tell kinds, colors and materials."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from captions import Look
from crops import varied
from torch import nn
from torch.nn.functional import cross_entropy, normalize

RATE, DECAY, WARM_UP, BATCH = 2e-3, 0.05, 50, 256
COPIES = 2
"""Of each crop, as other masks, distances and lights would show it, besides the crop itself."""
SHARES = (1.0, 0.5, 0.5)
"""What kind, color and material weigh."""


def fit(visual: Any, pixels: Any, looks: list[Look], fresh: Any, steps: int) -> None:
    """Train an image tower; what it says of fresh crops is printed on the way.

    The edges and colors of crops are worked out once: nothing of them is learned.
    """
    rng = np.random.default_rng(0)
    net = visual.trunk
    copies = [_cells(visual, pixels, rng if copy else None) for copy in range(1 + COPIES)]
    told = [sorted({part(look) for look in looks}) for part in _PARTS]
    truth = _rows(looks, told)
    shown, answers = _cells(visual, fresh[0], None), _rows(fresh[1], told)
    heads = nn.ModuleList([nn.Linear(net.meaning[-1].out_features, len(words)) for words in told])
    optimizer = torch.optim.AdamW(
        [*net.meaning.parameters(), *heads.parameters()], lr=RATE, weight_decay=DECAY
    )
    net.train()
    order = np.empty(0, int)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * eased(step, steps, WARM_UP)
        if len(order) < BATCH:
            order = rng.permutation(len(looks))
        rows, order = order[:BATCH], order[BATCH:]
        seen = net.meaning(copies[int(rng.integers(len(copies)))][rows].float())
        loss = sum(
            share * cross_entropy(head(seen), truth[rows, k], label_smoothing=0.05 * (k == 0))
            for k, (share, head) in enumerate(zip(SHARES, heads, strict=True))
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 200 == 199 or step == steps - 1:
            net.eval()
            with torch.inference_mode():
                seen = net.meaning(shown.float())
                right = [(h(seen).argmax(1) == answers[:, k]) for k, h in enumerate(heads)]
            net.train()
            shares = ", ".join(f"{r.float().mean():.1%}" for r in right)
            print(
                f"{time.strftime('%X')} step {step + 1} loss {loss.item():.2f} {shares}", flush=True
            )
    net.eval()


def eased(step: int, steps: int, warm_up: int) -> float:
    """Return the share of the rate of learning: up in the first steps, then down along a cosine."""
    down = np.cos(step / steps * np.pi / 2) ** 2
    return float(min(1.0, (step + 1) / warm_up) * (0.01 + 0.99 * down))


def vectors(visual: Any, pixels: Any, looks: list[Look]) -> tuple[list[Any], list[Look]]:
    """Return the unit vectors (v, d) of the views of each thing, varied ones as well, and its looks."""
    rng = np.random.default_rng(1)
    with torch.inference_mode():
        seen = torch.cat(
            [
                normalize(visual.trunk.meaning(_cells(visual, pixels, how).float()), dim=1)[:, None]
                for how in (None, rng)
            ],
            dim=1,
        )
    starts = [k for k, look in enumerate(looks) if k == 0 or look != looks[k - 1]]
    ends = [*starts[1:], len(looks)]
    things = [seen[a:b].flatten(0, 1).clone() for a, b in zip(starts, ends, strict=True)]
    return things, [looks[a] for a in starts]


_PARTS = (lambda k: k.noun, lambda k: k.color, lambda k: k.material)


def _rows(looks: list[Look], told: list[list[str]]) -> Any:
    at = [{word: row for row, word in enumerate(words)} for words in told]
    return torch.tensor(
        [[at[k].get(part(look), -1) for k, part in enumerate(_PARTS)] for look in looks]
    )


def _cells(visual: Any, pixels: Any, rng: np.random.Generator | None) -> Any:
    """Return the edges and colors of crops, varied with a generator."""
    mean, std = (torch.tensor(v)[:, None, None] for v in (visual.image_mean, visual.image_std))
    out = []
    with torch.inference_mode():
        for part in pixels.split(512):
            shown = part.float() / 255 if rng is None else varied(part, rng)
            out.append(visual.trunk.edges((shown - mean) / std).half())
    return torch.cat(out).clone()
