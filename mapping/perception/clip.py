"""CLIP: images and words as unit vectors in one space."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonground.errors import MappingError, did_you_mean, require
from commonground.mapping.perception import small
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.vectors import WordVectors
from commonground.mapping.perception.weights import (
    best_device,
    broken_weights,
    load_errors,
    local_clip,
    local_weights,
    missing_weights,
    reachable,
)

SETTING = "perception.fastsam.clip_weights"
NO_NETWORK = "there is no network to download them"


class Clip(WordVectors):
    """The image and text encoders; loads its weights when made."""

    def __init__(self, settings: FastSamSettings) -> None:
        require("open_clip", "perception")
        _check_usual(settings)
        import open_clip
        import torch

        self.settings = settings
        self.device = best_device(settings.device)
        name = settings.clip_model
        small.register()
        if name not in open_clip.list_models():
            hint = did_you_mean(name, open_clip.list_models())
            raise MappingError(f"perception.fastsam.clip_model: open_clip has no '{name}'.{hint}")
        weights = _weights(name, settings.clip_weights)
        if name == small.NAME:  # so small a net is slower on several threads
            torch.set_num_threads(1)
        self.weights = Path(weights) if Path(weights).is_file() else None
        self._model = _load(name, weights).to(self.device).eval()
        self._tokenizer = open_clip.get_tokenizer(name, **small.tokenizer_options(name))
        self.name = name_of(settings)
        self.scale = float(self._model.logit_scale.exp().item())
        bias = getattr(self._model, "logit_bias", None)
        self.bias = None if bias is None else float(bias.item())
        self.taught = small.taught(name)
        self.calibration = small.calibration(name)
        self.kind = "clip" if bias is None else "siglip"
        visual = self._model.visual
        size = visual.image_size
        self._size = (size, size) if isinstance(size, int) else tuple(size)
        self._mean = tuple(getattr(visual, "image_mean", None) or (0.5,) * 3)
        self._std = tuple(getattr(visual, "image_std", None) or (0.5,) * 3)

    def _looks(self, crops: Any) -> Any:
        return self._model.encode_image(crops)

    def _said(self, sentences: list[str]) -> Any:
        return self._model.encode_text(self._tokenizer(sentences).to(self.device))


def name_of(settings: FastSamSettings) -> str:
    """Return what maps call the model of these settings."""
    return f"open_clip/{settings.clip_model}/{Path(settings.clip_weights).name}"


def _check_usual(settings: FastSamSettings) -> None:
    """Raise MappingError where the usual weights cannot be had, before libraries take seconds to load.

    Of other names only open_clip knows whether there are weights.
    """
    model, name = settings.clip_model, settings.clip_weights
    usual = FastSamSettings()
    if (model, name) == (usual.clip_model, usual.clip_weights) and local_clip(model, name) is None:
        from huggingface_hub import constants

        if not reachable(constants.ENDPOINT):
            raise missing_weights("CLIP", name, SETTING, NO_NETWORK)


def _weights(model: str, name: str) -> str:
    """Return what open_clip can load: a file, or a tag of its hub if that can be reached."""
    import open_clip
    from huggingface_hub import constants

    path = local_weights(name)
    if path is not None:
        return str(path)
    tags = open_clip.list_pretrained_tags_by_model(model)
    if name not in tags:
        hint = did_you_mean(name, tags)
        reason = f"open_clip knows no weights of that name for {model}.{hint}"
        raise missing_weights("CLIP", name, SETTING, reason.rstrip("."))
    cached = local_clip(model, name)
    if cached is not None:
        return str(cached)
    if not reachable(constants.ENDPOINT):
        raise missing_weights("CLIP", name, SETTING, NO_NETWORK)
    return name


def _load(model: str, weights: str) -> Any:
    import open_clip

    try:
        return open_clip.create_model(model, pretrained=weights)
    except load_errors() as error:
        raise broken_weights("CLIP", weights, error) from error
