"""CLIP: images and words as unit vectors in one space."""

from __future__ import annotations

from pathlib import Path

from commonground.arrays import Floats32
from commonground.errors import MappingError, did_you_mean, require
from commonground.mapping.perception import small
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.tensors import Preparation, numbers, shown
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
        self.settings, name = settings, settings.clip_model
        network: Large | small.Small
        network = _small(settings) if name == small.NAME else Large(settings)
        self._network, self._mean = network, network.mean
        self.weights = Path(network.weights) if Path(network.weights).is_file() else None
        self.name = name_of(settings)
        self.scale, self.bias = network.scale, network.bias
        self.taught = small.taught(name)
        self.calibration = small.calibration(name)
        self.kind = "clip" if self.bias is None else "siglip"

    def _looks(self, crops: list[Floats32]) -> Floats32:
        return self._network.looks(crops)

    def _said(self, sentences: list[str]) -> Floats32:
        return self._network.said(sentences)


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


class Large:
    """A model of open_clip."""

    def __init__(self, settings: FastSamSettings) -> None:
        require("open_clip", "perception")
        _check_usual(settings)
        import open_clip

        name = settings.clip_model
        if name not in open_clip.list_models():
            hint = did_you_mean(name, open_clip.list_models())
            raise MappingError(f"perception.fastsam.clip_model: open_clip has no '{name}'.{hint}")
        self.weights = _weights(name, settings.clip_weights)
        try:
            model = open_clip.create_model(name, pretrained=self.weights)
        except load_errors() as error:
            raise broken_weights("CLIP", self.weights, error) from error
        self._device = best_device(settings.device)
        self._model, self._rows = model.to(self._device).eval(), open_clip.get_tokenizer(name)
        size = model.visual.image_size
        height, width = (size, size) if isinstance(size, int) else size
        self.mean, std = (
            tuple(getattr(model.visual, of, None) or (0.5,) * 3)
            for of in ("image_mean", "image_std")
        )
        self._how = Preparation((height, width), self.mean, std)
        self.scale = float(model.logit_scale.exp().item())
        bias = getattr(model, "logit_bias", None)
        self.bias = None if bias is None else float(bias.item())

    def looks(self, crops: list[Floats32]) -> Floats32:
        """Return the features (k, d) of crops."""
        return shown(self._model.encode_image, crops, self._how, self._device)

    def said(self, sentences: list[str]) -> Floats32:
        """Return the features (n, d) of sentences."""
        import torch

        with torch.inference_mode():
            return numbers(self._model.encode_text(self._rows(sentences).to(self._device)))


def _small(settings: FastSamSettings) -> small.Small:
    """Return the model that ships, without the seconds that torch and open_clip take to be imported."""
    for library in small.NEEDS:
        require(library, "perception")
    from safetensors import SafetensorError

    path = local_weights(settings.clip_weights)
    if path is None:
        reason = f"'{small.NAME}' has none of that name"
        raise missing_weights("CLIP", settings.clip_weights, SETTING, reason)
    try:
        return small.Small(path)
    except (SafetensorError, OSError, LookupError, TypeError, ValueError) as error:
        raise broken_weights("CLIP", path, error) from error
