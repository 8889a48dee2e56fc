"""Whether the weights that ``perception.backend=auto`` looks for are here, as ``doctor`` prints it."""

from __future__ import annotations

from commonground.installation import Check, weight_folder
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.weights import local_clip, local_weights


def weight_checks(settings: FastSamSettings | None = None) -> list[Check]:
    """Return a check for the segmenter's weights and one for those of CLIP."""
    s = settings or FastSamSettings()
    found = (
        ("FastSAM weights", s.segmenter, local_weights(s.segmenter)),
        ("CLIP weights", s.clip_weights, local_clip(s.clip_model, s.clip_weights)),
    )
    folder = weight_folder()
    return [
        Check(name, "ok", str(path))
        if path is not None
        else Check(
            name,
            "optional",
            f"no '{wanted}' in {folder} or in the caches of hubs: perception uses geometry and color",
            f"run once with a network and perception.backend=learned, or copy them into {folder}",
        )
        for name, wanted, path in found
    ]
