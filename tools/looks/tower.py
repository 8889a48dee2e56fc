"""The image tower of the small dual encoder in torch, as open_clip trains it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import avg_pool2d, conv2d

from commonground.mapping.perception.small import CELLS, DIRECTIONS, IMAGE_PX, MIXED, NAME, shipped

HIDDEN = 512
CHANNELS = 4
"""Lightness, two opponent colors, and how colorful."""
FEATURES = sum((DIRECTIONS + CHANNELS) * (IMAGE_PX // cell) ** 2 for cell in CELLS)


class Edges(nn.Module):
    """Crops (n, 3, 48, 48) → edges and colors (n, f) in their cells; nothing of it is learned."""

    def __init__(self) -> None:
        super().__init__()
        angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        across = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]]) / 4
        turned = np.cos(angles)[:, None, None] * across + np.sin(angles)[:, None, None] * across.T
        self.register_buffer("filters", torch.tensor(turned[:, None]).float(), persistent=False)
        self.register_buffer("mixed", torch.tensor(MIXED), persistent=False)

    def forward(self, crops: Any) -> Any:
        """Return the numbers of all cells."""
        colors = torch.einsum("kc,nchw->nkhw", self.mixed, crops)
        edges = conv2d(colors[:, :1], self.filters, padding=1).relu()
        edges = edges + 0.5 * sum(
            conv2d(colors[:, k : k + 1], self.filters, padding=1).relu() for k in (1, 2)
        )
        colorful = colors[:, 1:].square().sum(dim=1, keepdim=True).sqrt()
        colors = torch.cat([colors, colorful], dim=1)
        cells = []
        for cell in CELLS:
            strength = avg_pool2d(edges, cell)
            around = avg_pool2d(strength.square().sum(dim=1, keepdim=True), 3, 1, 1)
            cells.append((strength / (around + 0.01).sqrt()).sqrt().flatten(1))
            cells.append(avg_pool2d(colors, cell).flatten(1))
        return torch.cat(cells, dim=1)


class SmallNet(nn.Module):
    """Crops (n, 3, 48, 48) → vectors (n, d)."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.edges = Edges()
        self.meaning = nn.Sequential(
            nn.BatchNorm1d(FEATURES),
            nn.Linear(FEATURES, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ReLU(), nn.Dropout(0.3),
            nn.Linear(HIDDEN, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(HIDDEN, dimension),
        )  # fmt: skip

    def forward(self, crops: Any) -> Any:
        """Return the vectors, of any length."""
        return self.meaning(self.edges(crops))


def commonground_small(num_classes: int = 96, **_: Any) -> SmallNet:
    """Return the net; timm, through which open_clip makes it, knows it by this function's name."""
    return SmallNet(num_classes)


def register(config: Path | None = None) -> None:
    """Make open_clip know the small model by its name, and timm its image tower, to train it."""
    import open_clip
    from timm.models import is_model, register_model

    if not is_model(commonground_small.__name__):
        register_model(commonground_small)
    open_clip.add_model_config(config or shipped(f"{NAME}.json"))
