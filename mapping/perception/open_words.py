"""Detectors that are told words, YOLO-World and YOLOE, and the text encoders they were trained with."""

from __future__ import annotations

import logging
from typing import Any

from commonground.mapping.perception.clip import Clip, name_of
from commonground.mapping.perception.settings import FastSamSettings

log = logging.getLogger(__name__)

TRAINED_WITH = {"YOLOWorld": "openai", "YOLOE": "datacompdr"}
"""Kind of detector → what the name of the weights of its own text encoder holds, as open_clip calls them:
ViT-B-32 of OpenAI, and MobileCLIP-B."""


def with_words(model: Any, words: tuple[str, ...], settings: FastSamSettings) -> None:
    """Have a detector look for these words, if it can be told any and its own text encoder is here.

    Another encoder's vectors mean nothing to it; without its own it keeps the words of its checkpoint, and
    that is said.
    """
    kind = type(model).__name__
    if kind not in TRAINED_WITH or not words:
        return
    if TRAINED_WITH[kind] not in name_of(settings).lower():
        log.warning(
            "%s looks for the %d words of its checkpoint; for those of the map set "
            "perception.fastsam.clip_model and clip_weights to the text encoder it was trained with (%s)",
            kind,
            len(model.names),
            TRAINED_WITH[kind],
        )
        return
    _tell(model, words, Clip(settings))


def _tell(model: Any, words: tuple[str, ...], clip: Clip) -> None:
    import torch

    from commonground.errors import MappingError

    vectors = torch.from_numpy(clip.words(words, ["{}"]))[None]
    inner = model.model
    known = getattr(inner, "txt_feats", None) if type(model).__name__ == "YOLOWorld" else None
    if known is not None and known.shape[-1] != vectors.shape[-1]:
        raise MappingError(
            f"perception.fastsam.clip_model: {clip.name} gives {vectors.shape[-1]} numbers a word, the "
            f"detector takes {known.shape[-1]}"
        )
    if type(model).__name__ == "YOLOE":
        with torch.inference_mode():
            model.set_classes(list(words), inner.model[-1].get_tpe(vectors))
    else:
        inner.txt_feats, inner.names = vectors, list(words)
        inner.model[-1].nc = len(words)
        model.predictor = None
