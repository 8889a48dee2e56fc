"""The towers of the small dual encoder: edges and colors by place and what they mean, and words.

Edges by direction in cells, normalized among neighbors (Dalal and Triggs 2005), are fixed, so that little
is left to learn, and a processor learns it in minutes. The weights are those of open_clip's model, which is
trained; they are loaded here without open_clip, which takes seconds to import.
"""

from __future__ import annotations

from collections.abc import Mapping
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


class SmallText(nn.Module):
    """Rows of word pieces (n, length) → vectors (n, d): a transformer that reads from left to right."""

    def __init__(self, dimension: int, text: Mapping[str, int]) -> None:
        super().__init__()
        width, length = text["width"], text["context_length"]
        self.token_embedding = nn.Embedding(text["vocab_size"], width)
        self.positional_embedding = nn.Parameter(torch.empty(length, width))
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                width, text["heads"], 4 * width, 0.0, "gelu", batch_first=True, norm_first=True
            )
            for _ in range(text["layers"])
        )
        self.ln_final = nn.LayerNorm(width)
        self.text_projection = nn.Parameter(torch.empty(width, dimension))
        self.register_buffer(
            "mask", torch.full((length, length), -torch.inf).triu(1), persistent=False
        )

    def forward(self, rows: Any) -> Any:
        """Return the vectors, of any length: what is read at the end of each sentence."""
        x = self.token_embedding(rows) + self.positional_embedding
        for layer in self.layers:
            x = layer(x, src_mask=self.mask)
        ends = x[torch.arange(len(rows), device=rows.device), rows.argmax(dim=1)]
        return self.ln_final(ends) @ self.text_projection


class SmallClip(nn.Module):
    """Both towers, with the interface of open_clip's models."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.visual = SmallNet(config["embed_dim"])
        self.text = SmallText(config["embed_dim"], config["text_cfg"])
        self.logit_scale = nn.Parameter(torch.empty([]))
        self.logit_bias = nn.Parameter(torch.empty([]))

    def encode_image(self, crops: Any) -> Any:
        """Return the vectors of crops."""
        return self.visual(crops)

    def encode_text(self, rows: Any) -> Any:
        """Return the vectors of rows of word pieces."""
        return self.text(rows)

    def load(self, weights: Mapping[str, Any]) -> None:
        """Take the weights of open_clip's model of the same configuration."""
        self.load_state_dict({_here(name): value.float() for name, value in weights.items()})


NAMES = (
    ("visual.trunk.", "visual."),
    ("transformer.resblocks.", "text.layers."),
    (".attn.", ".self_attn."),
    (".ln_1.", ".norm1."),
    (".ln_2.", ".norm2."),
    (".mlp.c_fc.", ".linear1."),
    (".mlp.c_proj.", ".linear2."),
)
"""How open_clip calls what has another name in torch."""
OF_TEXT = ("token_embedding.", "positional_embedding", "ln_final.", "text_projection")


def _here(name: str) -> str:
    for theirs, ours in NAMES:
        name = name.replace(theirs, ours)
    return f"text.{name}" if name.startswith(OF_TEXT) else name
