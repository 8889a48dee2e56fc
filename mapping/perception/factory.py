"""The perception that the settings ask for."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Mapping

from commonground.errors import MappingError
from commonground.mapping.perception.ground_truth import GroundTruthPerception, Spoil
from commonground.mapping.perception.segments import Perception
from commonground.mapping.perception.settings import PerceptionSettings
from commonground.mapping.perception.weights import local_weights

log = logging.getLogger(__name__)


def make_perception(
    settings: PerceptionSettings | None = None,
    *,
    labels: Mapping[int, str] | None = None,
    spoil: Spoil | None = None,
) -> Perception:
    """Return the back end of the settings.

    ``labels`` names the numbers of the data's label images, where it has some: ``auto`` then takes the
    true masks. Else it takes FastSAM and CLIP if their weights are on this machine, else geometry.
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
        return GroundTruthPerception(
            labels,
            truth.surface_words,
            ignored=truth.ignored,
            spoil=spoil,
            with_embeddings=truth.embeddings,
        )
    if backend == "classical":
        from commonground.mapping.perception.classical import ClassicalPerception

        return ClassicalPerception(s.classical)
    from commonground.mapping.perception.fastsam_clip import FastSamClipPerception

    return FastSamClipPerception(s.fastsam)


def _chosen(settings: PerceptionSettings, labels: Mapping[int, str] | None) -> str:
    """Return the best back end that needs nothing this machine lacks."""
    if labels:
        return "ground-truth"
    installed = all(importlib.util.find_spec(m) for m in ("torch", "ultralytics", "open_clip"))
    weights = (settings.fastsam.segmenter, settings.fastsam.clip_weights)
    if installed and all(local_weights(w) is not None for w in weights):
        return "fastsam+clip"
    return "classical"
