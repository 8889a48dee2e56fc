"""The image tower of the small dual encoder: edges and colors by place, and what they mean.

Edges by direction in cells, normalized among neighbors (Dalal and Triggs 2005), are fixed, so that little
is left to learn, and a processor learns it in minutes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import avg_pool2d, conv2d

IMAGE_PX = 48
DIRECTIONS = 8
CELLS = (6, 12)
"""Edge lengths in pixels, of fine cells in the crop and of coarse ones."""
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
        mixed = np.array([[1, 1, 1], [1, -1, 0], [0.5, 0.5, -1]]) / np.array([[3], [2], [2]])
        self.register_buffer("filters", torch.tensor(turned[:, None]).float(), persistent=False)
        self.register_buffer("mixed", torch.tensor(mixed).float(), persistent=False)

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
