"""CLIP: images and words as unit vectors in one space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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


class Network(NamedTuple):
    """A model with its weights, and what it is given."""

    model: Any
    rows: Callable[[list[str]], Any]
    """Makes tensors of sentences."""
    weights: str
    size: tuple[int, int]
    mean: Sequence[float]
    std: Sequence[float]


class Clip(WordVectors):
    """The image and text encoders; loads its weights when made."""

    def __init__(self, settings: FastSamSettings) -> None:
        self.settings, name = settings, settings.clip_model
        network = _small(settings) if name == small.NAME else _large(settings)
        self.device = best_device(settings.device)
        self._model, self._rows = network.model.to(self.device).eval(), network.rows
        self.weights = Path(network.weights) if Path(network.weights).is_file() else None
        self.name = name_of(settings)
        self.scale = float(self._model.logit_scale.exp().item())
        bias = getattr(self._model, "logit_bias", None)
        self.bias = None if bias is None else float(bias.item())
        self.taught = small.taught(name)
        self.calibration = small.calibration(name)
        self.kind = "clip" if bias is None else "siglip"
        self._size, self._mean, self._std = network.size, network.mean, network.std

    def _looks(self, crops: Any) -> Any:
        return self._model.encode_image(crops)

    def _said(self, sentences: list[str]) -> Any:
        return self._model.encode_text(self._rows(sentences).to(self.device))


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


def _large(settings: FastSamSettings) -> Network:
    """Return a model of open_clip."""
    require("open_clip", "perception")
    _check_usual(settings)
    import open_clip

    name = settings.clip_model
    if name not in open_clip.list_models():
        hint = did_you_mean(name, open_clip.list_models())
        raise MappingError(f"perception.fastsam.clip_model: open_clip has no '{name}'.{hint}")
    weights = _weights(name, settings.clip_weights)
    try:
        model = open_clip.create_model(name, pretrained=weights)
    except load_errors() as error:
        raise broken_weights("CLIP", weights, error) from error
    visual = model.visual
    size = visual.image_size
    height, width = (size, size) if isinstance(size, int) else size
    mean, std = (
        tuple(getattr(visual, of, None) or (0.5,) * 3) for of in ("image_mean", "image_std")
    )
    return Network(model, open_clip.get_tokenizer(name), weights, (height, width), mean, std)


def _small(settings: FastSamSettings) -> Network:
    """Return the model that ships, without the seconds that open_clip takes to be imported."""
    for library in small.NEEDS:
        require(library, "perception")
    import torch

    path = local_weights(settings.clip_weights)
    if path is None:
        reason = f"'{small.NAME}' has none of that name"
        raise missing_weights("CLIP", settings.clip_weights, SETTING, reason)
    try:
        model, pieces = small.load(path)
    except load_errors() as error:
        raise broken_weights("CLIP", path, error) from error
    torch.set_num_threads(1)  # so small a net is slower on several

    def rows(sentences: list[str]) -> Any:
        return torch.from_numpy(pieces(sentences))

    return Network(model, rows, str(path), small.SIZE, small.MEAN, small.STD)
