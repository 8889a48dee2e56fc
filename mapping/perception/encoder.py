"""The network that makes unit vectors of things, and of words where it knows any, by its settings."""

from __future__ import annotations

from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.vectors import ImageVectors


def open_encoder(settings: FastSamSettings) -> ImageVectors:
    """Return the encoder that the settings name."""
    if settings.embedder:
        from commonground.mapping.perception.hub_encoder import open_hub_encoder

        return open_hub_encoder(settings)
    from commonground.mapping.perception.clip import Clip

    return Clip(settings)
