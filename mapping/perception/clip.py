"""CLIP: images and words as unit vectors in one space."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Bools, Bytes, Floats32, Ints
from commonground.errors import MappingError, did_you_mean, require
from commonground.mapping.perception import small
from commonground.mapping.perception.cutouts import cut_out
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.weights import (
    best_device,
    broken_weights,
    load_errors,
    local_clip,
    local_weights,
    missing_weights,
    reachable,
)


class Clip:
    """The image and text encoders; loads its weights when made."""

    def __init__(self, settings: FastSamSettings) -> None:
        require("open_clip", "perception")
        import open_clip

        self.settings = settings
        self.device = best_device(settings.device)
        name = settings.clip_model
        small.register()
        if name not in open_clip.list_models():
            hint = did_you_mean(name, open_clip.list_models())
            raise MappingError(f"perception.fastsam.clip_model: open_clip has no '{name}'.{hint}")
        weights = _weights(name, settings.clip_weights)
        self.weights = Path(weights) if Path(weights).is_file() else None
        self._model = _load(name, weights).to(self.device).eval()
        self._tokenizer = open_clip.get_tokenizer(name, **small.tokenizer_options(name))
        self.name = name_of(settings)
        self.scale = float(self._model.logit_scale.exp().item())
        bias = getattr(self._model, "logit_bias", None)
        self.bias = None if bias is None else float(bias.item())
        self.taught = small.taught(name)
        self.kind = "clip" if bias is None else "siglip"
        size = self._model.visual.image_size
        self._size = (size, size) if isinstance(size, int) else tuple(size)

    @cached_property
    def dimension(self) -> int:
        """Length of the vectors."""
        return int(self.words(["a"], ["{}"]).shape[1])

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        """Return a unit vector (w, d) for each word: the mean over the sentences it is put in."""
        import torch

        rows = []
        batch = max(1, 2 * self.settings.batch // max(1, len(prompts)))
        with torch.inference_mode():
            for start in range(0, len(words), batch):
                said = [p.format(word) for word in words[start : start + batch] for p in prompts]
                tokens = self._tokenizer(said).to(self.device)
                each = torch.nn.functional.normalize(self._model.encode_text(tokens), dim=-1)
                mean = each.unflatten(0, (-1, len(prompts))).mean(dim=1)
                rows.append(torch.nn.functional.normalize(mean, dim=-1))
            out = torch.cat(rows) if rows else torch.zeros(0, 1)
        return np.asarray(out.float().cpu().numpy(), np.float32)

    def images(self, rgb: Bytes, masks: Bools, boxes: Ints) -> Floats32:
        """Return a unit vector (k, d) for each mask (k, h, w): its box cut out, the rest of it dimmed.

        ``boxes`` (k, 4) is x, y of the first and behind the last pixel.
        """
        import torch

        s = self.settings
        mean, std = (
            torch.tensor(v, device=self.device)[:, None, None]
            for v in (self._statistic("image_mean", 0.5), self._statistic("image_std", 0.5))
        )
        crops = [
            cut_out(rgb, mask, box, self._size, margin=s.margin, dim=s.dim_background, gray=mean)
            for mask, box in zip(masks, boxes, strict=True)
        ]
        return self._encoded([(crop - mean) / std for crop in crops])

    def picture(self, rgb: Bytes) -> Floats32:
        """Return the unit vector (d,) of a whole picture (h, w, 3)."""
        height, width = rgb.shape[:2]
        every = np.ones((1, height, width), bool)
        return np.asarray(self.images(rgb, every, np.array([[0, 0, width, height]]))[0])

    def _encoded(self, crops: list[Any]) -> Floats32:
        import torch

        rows = []
        half = self.device.startswith("cuda")
        with torch.inference_mode(), torch.autocast("cuda", torch.float16, enabled=half):
            for start in range(0, len(crops), self.settings.batch):
                batch = torch.stack(crops[start : start + self.settings.batch])
                features = self._model.encode_image(batch)
                rows.append(torch.nn.functional.normalize(features.float(), dim=-1).cpu())
        if not rows:
            return np.empty((0, self.dimension), np.float32)
        return np.asarray(torch.cat(rows).numpy(), np.float32)

    def _statistic(self, name: str, default: float) -> tuple[float, ...]:
        value = getattr(self._model.visual, name, None)
        return tuple(value) if value is not None else (default,) * 3


def name_of(settings: FastSamSettings) -> str:
    """Return what maps call the model of these settings."""
    return f"open_clip/{settings.clip_model}/{Path(settings.clip_weights).name}"


def _weights(model: str, name: str) -> str:
    """Return what open_clip can load: a file, or a tag of its hub if that can be reached."""
    import open_clip
    from huggingface_hub import constants

    path = local_weights(name)
    if path is not None:
        return str(path)
    setting = "perception.fastsam.clip_weights"
    tags = open_clip.list_pretrained_tags_by_model(model)
    if name not in tags:
        hint = did_you_mean(name, tags)
        reason = f"open_clip knows no weights of that name for {model}.{hint}"
        raise missing_weights("CLIP", name, setting, reason.rstrip("."))
    cached = local_clip(model, name)
    if cached is not None:
        return str(cached)
    if not reachable(constants.ENDPOINT):
        raise missing_weights("CLIP", name, setting, "there is no network to download them")
    return name


def _load(model: str, weights: str) -> Any:
    import open_clip

    try:
        return open_clip.create_model(model, pretrained=weights)
    except load_errors() as error:
        raise broken_weights("CLIP", weights, error) from error
