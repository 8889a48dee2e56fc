"""The text tower learns which words are true of what the image tower sees."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import torch
from captions import ANYTHING, Captions, Look
from seeing import eased
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, normalize

from commonground.grounding.lookup.encoder import PROMPTS
from commonground.grounding.lookup.meaning import bank, relation
from commonground.mapping.perception.small import NAME

RATE, DECAY, WARM_UP, BATCH = 3e-3, 0.02, 50, 256
PAIRED = 96
"""Things of a batch for which sentences are made; each is judged for all things."""
THINGS, FIRST = 60, 5
"""What is asked of a room to set the probability right: for so many things, of which the first count."""


class Namer:
    """The text tower, the scale and the bias of a model whose image tower stays as it is."""

    def __init__(self, model: Any, captions: Captions, out: Path) -> None:
        self.model, self.captions = model, captions
        self.tokenizer = open_clip.get_tokenizer(NAME, bpe_path=str(out / f"{NAME}.pieces.gz"))
        self.tokens: dict[str, Any] = {}
        self.row = {kind: row for row, kind in enumerate(captions.kinds)}
        self.color = {color: row for row, color in enumerate(captions.colors)}
        self.also = torch.from_numpy(captions.also())

    def learn(self, views: list[Any], looks: list[Look], steps: int) -> None:
        """Train on the mean of some views of each thing, as maps keep it."""
        rng = np.random.default_rng(0)
        learned = [p for n, p in self.model.named_parameters() if not n.startswith("visual")]
        optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=DECAY)
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = RATE * eased(step, steps, WARM_UP)
            chosen = rng.integers(0, len(views), BATCH)
            seen = torch.stack([_mean_of_some(views[k], rng) for k in chosen])
            loss = self.loss(seen, [looks[k] for k in chosen], rng)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % 100 == 99 or step == steps - 1:
                print(f"{time.strftime('%X')} words {step + 1} loss {loss.item():.2f}", flush=True)

    def loss(self, seen: Any, looks: list[Look], rng: np.random.Generator) -> Any:
        """Return how badly it tells kinds, colors, and which captions are true of which things."""
        told = [c for look in looks[:PAIRED] for c in self.captions.draw_pair(look, rng)]
        named = [self.captions.named(Look(kind, "", ""), rng) for kind in self.captions.kinds]
        colored = [self.captions.named(Look(ANYTHING, c, ""), rng) for c in self.captions.colors]
        texts = self.texts([c.text for c in (*told, *named, *colored)])
        logits = self.model.logit_scale.exp() * seen @ texts.T
        pairs, kinds, colors = logits.split([len(told), len(named), len(colored)], dim=1)
        truth = torch.from_numpy(self.captions.true(told, looks)).float()
        judged = binary_cross_entropy_with_logits(
            pairs + self.model.logit_bias, truth, reduction="sum"
        )
        kind = torch.tensor([self.row[look.noun] for look in looks])
        color = torch.tensor([self.color.get(look.color, -1) for look in looks])
        by_kind = cross_entropy(kinds.masked_fill(self.also[kind], -1e4), kind)
        by_color = cross_entropy(colors, color, ignore_index=-1)
        return judged / len(looks) + by_kind + 0.5 * by_color

    def settle(self, views: list[Any], looks: list[Look], rooms: int) -> None:
        """Set scale and bias so that the probability of what is found first is true, of things left out.

        Things are asked for in some rooms. It is the probability that ``find`` gives: of a word against the
        best that excludes it, and none.
        """
        from scipy.optimize import minimize

        rng = np.random.default_rng(2)
        seen = torch.stack([normalize(v[::2].mean(dim=0), dim=0) for v in views])
        known = sorted({*bank(), *self.captions.kinds})
        others = seen @ self._words(known).T
        asked = [self._asked(seen, others, known, looks, rng) for _ in range(rooms)]
        own, rival, truth = (np.concatenate(column) for column in zip(*asked, strict=True))

        def wrong(numbers: Any) -> float:
            logits = numbers[0] * own
            against = np.logaddexp(numbers[0] * rival, -numbers[1])
            return float(np.mean(np.logaddexp(logits, against) - np.where(truth, logits, against)))

        scale, bias = minimize(wrong, [20.0, -6.0], method="Nelder-Mead").x
        print(
            f"of {len(truth)} answers {truth.mean():.1%} true: scale {scale:.1f}, bias {bias:.1f}"
        )
        with torch.no_grad():
            self.model.logit_scale.fill_(float(np.log(max(scale, 1.0))))
            self.model.logit_bias.fill_(float(bias))

    def _asked(
        self, seen: Any, others: Any, known: list[str], looks: list[Look], rng: np.random.Generator
    ) -> Iterator[Any]:
        """Return the cosines of what is found first, those of the best other word, and the truth."""
        here = rng.choice(len(looks), THINGS, replace=False)
        claims = [Look(looks[k].noun, "", "") for k in here]
        claims += [Look(str(kind), "", "") for kind in rng.choice(self.captions.kinds, THINGS)]
        claims += [
            Look(str(noun), "", "") for noun in rng.choice(self.captions.strange, THINGS // 6)
        ]
        own = (seen[here] @ self._words([c.noun for c in claims]).T).numpy()
        no = [np.array([relation(c.noun, word) < 0 for word in known]) for c in claims]
        rival = np.stack([others[here][:, n].max(dim=1).values.numpy() for n in no], axis=1)
        said = [self.captions.named(claim, rng) for claim in claims]
        truth = self.captions.true(said, [looks[k] for k in here])
        first = np.argsort(-own, axis=0)[:FIRST]
        return (np.take_along_axis(v, first, 0).ravel() for v in (own, rival, truth))

    def _words(self, words: list[str]) -> Any:
        """Return a unit vector for each word, as ``find`` asks for it."""
        with torch.inference_mode():
            each = self.texts([p.format(word) for word in words for p in PROMPTS])
            return normalize(each.unflatten(0, (-1, len(PROMPTS))).mean(dim=1), dim=-1)

    def texts(self, texts: list[str]) -> Any:
        """Return unit vectors of texts; the same text is read once."""
        unique = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        for text in unique:
            if text not in self.tokens:
                self.tokens[text] = self.tokenizer([text])[0]
        read = self.model.encode_text(torch.stack([self.tokens[text] for text in unique]))
        return normalize(read, dim=-1)[[unique[text] for text in texts]]


def _mean_of_some(views: Any, rng: np.random.Generator) -> Any:
    some = rng.choice(len(views), int(rng.integers(1, len(views) // 2 + 1)), replace=False)
    return normalize(views[some].mean(dim=0), dim=0)
