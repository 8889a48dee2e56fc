"""Encoders of transformers by name: DINOv2 and its like, which know no words, CLIP and SigLIP, which do."""

from __future__ import annotations

import re
from abc import abstractmethod
from pathlib import Path
from typing import Any

from commonground.arrays import Floats32
from commonground.errors import require
from commonground.looks import Calibration
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.tensors import Preparation, numbers, shown
from commonground.mapping.perception.vectors import ImageVectors, WordVectors
from commonground.mapping.perception.weights import (
    best_device,
    broken_weights,
    hub_folder,
    load_errors,
    missing_weights,
    reachable,
)

SETTING = "perception.fastsam.embedder"
_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_HUB = "https://huggingface.co"


def open_hub_encoder(settings: FastSamSettings) -> ImageVectors:
    """Return the encoder that ``embedder`` names, of the kind that its configuration says."""
    require("transformers", "perception")
    source, here = _source(settings.embedder)
    model = _loaded(source, here)
    worded = hasattr(model, "get_text_features") and hasattr(model, "get_image_features")
    return (HubWords if worded else HubImages)(model, source, settings, here)


def hub_name(settings: FastSamSettings) -> str:
    """Return what maps call the model that ``embedder`` names."""
    return f"transformers/{settings.embedder.rstrip('/').rpartition('/')[2]}"


class _Hub(ImageVectors):
    """A model of transformers."""

    def __init__(self, model: Any, source: str, settings: FastSamSettings, here: bool) -> None:
        self.settings, self.device = settings, best_device(settings.device)
        self.name, self.kind = hub_name(settings), str(model.config.model_type)
        self._model = model.to(self.device).eval()
        looks = getattr(model.config, "vision_config", model.config)
        self._how = _preparation(source, here, int(looks.image_size))
        self._mean = self._how.mean

    def _looks(self, crops: list[Floats32]) -> Floats32:
        return shown(self._encoded, crops, self._how, self.device)

    @abstractmethod
    def _encoded(self, images: Any) -> Any:
        """Return the features (k, d) of prepared images (k, 3, h, w)."""


class HubImages(_Hub):
    """One of images alone."""

    def _encoded(self, images: Any) -> Any:
        """Return the token that stands for the whole of each image."""
        return self._model(pixel_values=images).last_hidden_state[:, 0]

    @property
    def dimension(self) -> int:
        return int(self._model.config.hidden_size)


class HubWords(_Hub, WordVectors):
    """One of images and words."""

    taught = ()
    calibration = Calibration()

    def __init__(self, model: Any, source: str, settings: FastSamSettings, here: bool) -> None:
        super().__init__(model, source, settings, here)
        from transformers import AutoTokenizer

        try:
            self._tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=here)
        except load_errors() as error:
            raise broken_weights("tokenizer", source, error) from error
        self.scale = float(model.logit_scale.exp().item())
        bias = getattr(model, "logit_bias", None)
        self.bias = None if bias is None else float(bias.item())
        self.weights = _weights(source)

    def _said(self, sentences: list[str]) -> Floats32:
        import torch

        # SigLIP was trained on sentences filled up to the same length
        tokens = self._tokenizer(
            sentences, padding="max_length", truncation=True, return_tensors="pt"
        ).to(self.device)
        tokens = {k: v for k, v in tokens.items() if k in ("input_ids", "attention_mask")}
        with torch.inference_mode():
            return numbers(_pooled(self._model.get_text_features(**tokens)))

    def _encoded(self, images: Any) -> Any:
        return _pooled(self._model.get_image_features(pixel_values=images))


def _pooled(answer: Any) -> Any:
    """Return the features of an answer, which newer versions wrap."""
    return getattr(answer, "pooler_output", answer)


def _source(name: str) -> tuple[str, bool]:
    """Return where a model is loaded from, and whether that is on this machine."""
    folder = hub_folder(name)
    if folder is not None:
        return str(folder), True
    if not _NAME.fullmatch(name):
        raise missing_weights("encoder", name, SETTING, "no model has such a name")
    if not reachable(_HUB):
        raise missing_weights("encoder", name, SETTING, "there is no network to download them")
    return name, False


def _weights(source: str) -> Path | None:
    """Return the file of a model's weights."""
    file = Path(source) / "model.safetensors"
    return file if file.is_file() else None


def _loaded(source: str, here: bool) -> Any:
    """Return the model; one that lacks some of its weights would be made up in part, so it is refused."""
    from transformers import AutoModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        model, found = AutoModel.from_pretrained(
            source, local_files_only=here, output_loading_info=True
        )
    except load_errors() as error:
        raise broken_weights("encoder", source, error) from error
    missing = sorted(found["missing_keys"])
    if missing:
        reason = f"{len(missing)} of its weights are not in the file, as {missing[0]}"
        raise broken_weights("encoder", source, ValueError(reason))
    return model


def _preparation(source: str, here: bool, side: int) -> Preparation:
    """Return the size that images are brought to, and the mean and spread of the colors it was trained on."""
    from transformers import AutoImageProcessor

    try:
        made = AutoImageProcessor.from_pretrained(source, local_files_only=here).to_dict()
    except load_errors() as error:
        raise broken_weights("image preparation", source, error) from error
    size = made.get("crop_size") or made.get("size") or {}
    if "height" in size:
        seen = (int(size["height"]), int(size["width"]))
    else:
        seen = (int(size.get("shortest_edge", side)),) * 2
    return Preparation(seen, made["image_mean"], made["image_std"])
