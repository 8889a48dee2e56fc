"""The perception that the settings ask for."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Mapping, Sequence

from commonground.errors import MappingError
from commonground.mapping.perception.ground_truth import GroundTruthPerception, Spoil
from commonground.mapping.perception.segments import Perception
from commonground.mapping.perception.settings import FastSamSettings, PerceptionSettings
from commonground.mapping.perception.text import open_encoder
from commonground.mapping.perception.weights import hub_folder, local_clip, local_weights
from commonground.mapping.surface.settings import GROUND_WORDS

log = logging.getLogger(__name__)


def make_perception(
    settings: PerceptionSettings | None = None,
    *,
    labels: Mapping[int, str] | None = None,
    ground_words: Sequence[str] = GROUND_WORDS,
    spoil: Spoil | None = None,
) -> Perception:
    """Return the back end of the settings.

    ``labels`` names the numbers of the data's label images, where it has some: ``auto`` then takes the
    true masks, and geometry finds ground and walls where no label is one of ``ground_words``. Else it takes
    the networks that the settings name if their weights are on this machine, else geometry.
    ``spoil`` makes true masks imperfect.
    """
    s = settings or PerceptionSettings()
    backend = _chosen(s, labels) if s.backend == "auto" else s.backend
    log.info("perception: %s", backend)
    if backend == "ground-truth":
        if not labels:
            raise MappingError(
                "perception.backend=ground-truth: the data has no label images; use classical or fastsam+clip"
            )
        truth = s.ground_truth
        own = [word for word in ground_words if word not in GROUND_WORDS]
        return GroundTruthPerception(
            labels,
            tuple(dict.fromkeys((*truth.surface_words, *own))),
            ignored=truth.ignored,
            spoil=spoil,
            with_embeddings=truth.embeddings,
            encoder=open_encoder(s.fastsam) if truth.embeddings and truth.by_words else None,
            geometry=_geometry(s, labels, ground_words),
        )
    if backend == "classical":
        from commonground.mapping.perception.classical import ClassicalPerception

        return ClassicalPerception(s.classical)
    from commonground.mapping.perception.learned import LearnedPerception

    return LearnedPerception(s.fastsam, s.classical)


def _geometry(
    s: PerceptionSettings, labels: Mapping[int, str], ground_words: Sequence[str]
) -> Perception | None:
    """Return what finds ground and walls where the labels name no ground, as those of a detector."""
    if {w.lower() for w in labels.values()} & {w.lower() for w in ground_words}:
        return None
    from commonground.mapping.perception.classical import ClassicalPerception

    log.warning(
        "the labels of the data name no ground (surface.ground_words): geometry finds ground and walls"
    )
    return ClassicalPerception(s.classical)


def _chosen(settings: PerceptionSettings, labels: Mapping[int, str] | None) -> str:
    """Return the best back end that needs nothing this machine lacks."""
    if labels:
        return "ground-truth"
    return "learned" if _networks_here(settings.fastsam) else "classical"


def _networks_here(s: FastSamSettings) -> bool:
    """Return whether the libraries and the weights that the settings name are on this machine.

    A segmenter of a user's own is taken without CLIP: its classes name things.
    """
    if not all(importlib.util.find_spec(m) for m in ("torch", "ultralytics")):
        return False
    if s.segmenter != FastSamSettings().segmenter and local_weights(s.segmenter) is not None:
        return True
    if importlib.util.find_spec("open_clip") is None:
        return False
    if s.embedder:
        return local_weights(s.segmenter) is not None and hub_folder(s.embedder) is not None
    found = local_weights(s.segmenter), local_clip(s.clip_model, s.clip_weights)
    return None not in found
