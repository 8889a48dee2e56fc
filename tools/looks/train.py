"""Train the small dual encoder on crops and captions of simulated things.

    python tools/looks/train.py                 # writes mapping/perception/data/simulated.*
    python tools/looks/train.py --minutes 2 --out FOLDER

Each caption is true of some crops of a batch and false of the others; the model learns which, each pair by
itself (a sigmoid, no softmax), so that its own probability means something.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import torch
from captions import Captions, Look
from crops import crops
from pieces import merges_for, write_merges
from safetensors.torch import save_file
from torch.nn.functional import binary_cross_entropy_with_logits, normalize

DATA = Path(__file__).resolve().parents[2] / "mapping/perception/data"
NAME = "simulated"
RATE = 3e-3
IMAGE_PX, CONTEXT = 32, 12
MODEL = {
    "embed_dim": 96,
    "init_logit_scale": float(np.log(10)),
    "init_logit_bias": -6.0,
    "vision_cfg": {"image_size": IMAGE_PX, "layers": [1, 1, 1, 1], "width": 10, "patch_size": None},
    "text_cfg": {"context_length": CONTEXT, "width": 64, "heads": 4, "layers": 1},
}


def main() -> None:
    """Read the command line, train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument(
        "--minutes", type=float, default=8.0, help="of training, after the rendering"
    )
    parser.add_argument(
        "--rooms", type=int, default=3, help="showrooms, each with a thing of a kind"
    )
    parser.add_argument("--views", type=int, default=10, help="of each thing")
    parser.add_argument("--batch", type=int, default=128)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    captions = Captions()
    asked.out.mkdir(parents=True, exist_ok=True)
    tokens = write_merges(merges_for(captions.words()), asked.out / f"{NAME}.pieces.gz")
    config = MODEL | {"text_cfg": MODEL["text_cfg"] | {"vocab_size": tokens}}
    (asked.out / f"{NAME}.json").write_text(json.dumps(config, indent=2) + "\n")
    open_clip.add_model_config(asked.out / f"{NAME}.json")
    model = open_clip.create_model(NAME)
    print(f"{sum(p.numel() for p in model.parameters()):,} numbers", flush=True)
    pixels, looks = _crops(range(asked.rooms), asked.views, model)
    fresh = _crops([1000], 2, model)
    print(f"{len(looks):,} crops of {len({k.noun for k in looks})} kinds", flush=True)
    trainer = Trainer(model, captions, asked.out)
    trainer.train(pixels, looks, fresh, 60 * asked.minutes, asked.batch)


def _crops(seeds: Any, views: int, model: Any) -> tuple[Any, list[Look]]:
    gray = torch.tensor(model.visual.image_mean)[:, None, None]
    rooms = [crops(seed, views, IMAGE_PX, gray) for seed in seeds]
    return torch.cat([images for images, _ in rooms]), [
        look for _, looks in rooms for look in looks
    ]


class Trainer:
    """The model and what it is trained with."""

    def __init__(self, model: Any, captions: Captions, out: Path) -> None:
        self.model, self.captions = model, captions
        self.tokens = open_clip.get_tokenizer(NAME, bpe_path=str(out / f"{NAME}.pieces.gz"))
        self.file = out / f"{NAME}.safetensors"
        self.mean, self.std = (
            torch.tensor(v)[:, None, None]
            for v in (model.visual.image_mean, model.visual.image_std)
        )

    def train(self, pixels: Any, looks: list[Look], fresh: Any, seconds: float, batch: int) -> None:
        """Train for a time; what the model says of fresh things is printed on the way."""
        rng = np.random.default_rng(0)
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=RATE, weight_decay=0.02)
        start = shown = time.monotonic()
        step, share = 0, 0.0
        while share < 1:
            share = min(1.0, (time.monotonic() - start) / seconds)
            for group in optimizer.param_groups:
                group["lr"] = (
                    RATE * min(1, (step + 1) / 60) * (0.02 + 0.98 * np.cos(share * np.pi / 2) ** 2)
                )
            rows = rng.choice(len(looks), batch, replace=False)
            loss = self.loss(pixels[rows], [looks[r] for r in rows], rng)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if time.monotonic() - shown > 60 or share == 1:
                shown = time.monotonic()
                print(
                    f"{share:4.0%} step {step} loss {loss.item():.3f} {self.figures(*fresh)}",
                    flush=True,
                )
                self.save()

    def save(self) -> None:
        """Write the weights at half precision."""
        weights = {k: v.contiguous() for k, v in self.model.state_dict().items()}
        save_file(
            {k: v.half() if v.is_floating_point() else v for k, v in weights.items()}, self.file
        )

    def loss(self, pixels: Any, looks: list[Look], rng: np.random.Generator) -> Any:
        """Return how badly the model tells which captions are true of which crops."""
        said = [self.captions.draw(look, rng) for look in looks]
        truth = torch.from_numpy(self.captions.true(said, looks)).float()
        images, texts = self.images(_varied(pixels, rng)), self.texts([c.text for c in said])
        logits = self.model.logit_scale.exp() * images @ texts.T + self.model.logit_bias
        return binary_cross_entropy_with_logits(logits, truth, reduction="sum") / len(looks)

    def images(self, crops: Any) -> Any:
        """Return unit vectors of crops (n, 3, h, w) in [0, 1]."""
        return normalize(self.model.encode_image((crops - self.mean) / self.std), dim=-1)

    def texts(self, texts: list[str]) -> Any:
        """Return unit vectors of texts."""
        return normalize(self.model.encode_text(self.tokens(texts)), dim=-1)

    def figures(self, pixels: Any, looks: list[Look]) -> str:
        """Return how often the kind and the color of fresh crops are told right."""
        self.model.eval()
        with torch.inference_mode():
            images = torch.cat([self.images(p.float() / 255) for p in pixels.split(256)])
            kinds = sorted({look.noun for look in looks})
            colors = list(self.captions.colors)
            by_kind = (images @ self.texts([f"a photo of a {k}" for k in kinds]).T).argmax(1)
            by_color = (images @ self.texts([f"a photo of a {c} thing" for c in colors]).T).argmax(
                1
            )
        self.model.train()
        kind = np.mean([kinds[i] == k.noun for i, k in zip(by_kind.tolist(), looks, strict=True)])
        color = np.mean(
            [colors[i] == k.color for i, k in zip(by_color.tolist(), looks, strict=True)]
        )
        return f"kinds {kind:.1%} colors {color:.1%}"


def _varied(pixels: Any, rng: np.random.Generator) -> Any:
    """Return crops as numbers in [0, 1], some of them mirrored, all a little brighter or darker, shifted."""
    out = pixels.float() / 255
    flipped = torch.from_numpy(rng.random(len(out)) < 0.5)
    out[flipped] = out[flipped].flip(-1)
    gain = torch.from_numpy(rng.uniform(0.85, 1.15, (len(out), 1, 1, 1))).float()
    out = torch.roll(out, tuple(int(v) for v in rng.integers(-3, 4, 2)), (2, 3))
    return (out * gain).clamp(0, 1)


if __name__ == "__main__":
    main()
