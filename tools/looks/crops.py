"""Crops of simulated things, cut out as where maps are made, with what is true of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from captions import Look
from torch.nn.functional import affine_grid, avg_pool2d, grid_sample, interpolate

from commonground.datasets.settings import WorldSettings
from commonground.datasets.simulator.camera import Renderer
from commonground.datasets.world.model import World
from commonground.mapping.perception.cutouts import cut_out, resized
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.vectors import DIM_BACKGROUND
from tools.showroom.catalog import attributes
from tools.showroom.furnished import furnished
from tools.showroom.portraits import portraits
from tools.showroom.showroom import all_kinds, showroom

CROWDED_M = 3.2
"""From middle to middle of things that stand in front of each other."""
SIZES_M = {"campus": 90.0, "office": 30.0}
FAR, FARTHER = 0.3, 0.6
"""Share of the pictures from afar, of what stands apart and of what stands among other things."""


def crops(
    seeds: Iterable[int], views: int, size: int, gray: Sequence[float]
) -> tuple[Any, list[Look]]:
    """Return crops (n, 3, size, size) as bytes and their looks, of things as robots come across them.

    Each seed is a showroom with a thing of each kind, every other one crowded, and a furnished world.
    """
    images: list[Any] = []
    looks: list[Look] = []
    for seed in seeds:
        rng = np.random.default_rng([seed, 0xC0])
        names, crowded = rng.permutation(all_kinds()).tolist(), bool(seed % 2)
        room = showroom(names, seed, CROWDED_M) if crowded else showroom(names, seed)
        _add(room, views, FARTHER if crowded else FAR, size, gray, rng, images, looks)
        kind = sorted(SIZES_M)[seed // 2 % 2]
        world = furnished(WorldSettings(kind=kind, seed=seed, size_m=SIZES_M[kind]))
        _add(world, views, FARTHER, size, gray, rng, images, looks)
    return torch.stack(images), looks


def _add(
    world: World,
    views: int,
    far: float,
    size: int,
    gray: Sequence[float],
    rng: np.random.Generator,
    images: list[Any],
    looks: list[Look],
) -> None:
    renderer, settings = Renderer(world), FastSamSettings()
    for thing in world.things:
        look = Look(thing.kind, *attributes(thing.shape))
        for seen in portraits(renderer, thing, views, rng, far):
            crop = cut_out(
                seen.rgb, seen.mask, seen.box,
                margin=settings.margin, dim=DIM_BACKGROUND, gray=gray,
            )  # fmt: skip
            pixels = (resized(crop, size) * 255).round().astype(np.uint8)
            images.append(torch.from_numpy(pixels))
            looks.append(look)


def varied(pixels: Any, rng: np.random.Generator) -> Any:
    """Return crops (n, 3, h, w) in [0, 1] as other masks, distances and lights would show them."""
    out = pixels.float() / 255
    n = len(out)
    theta = np.zeros((n, 2, 3))
    zoom = rng.uniform(0.85, 1.2, (n, 1)) * rng.uniform(0.93, 1.07, (n, 2))
    mirrored = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    theta[:, 0, 0], theta[:, 1, 1] = mirrored * zoom[:, 0], zoom[:, 1]
    theta[:, 0, 1], theta[:, 1, 0] = rng.normal(0, 0.05, (2, n))
    theta[:, :, 2] = rng.uniform(-0.12, 0.12, (n, 2))
    grid = affine_grid(torch.from_numpy(theta).float(), list(out.shape), align_corners=False)
    out = grid_sample(out, grid, padding_mode="border", align_corners=False)
    far = torch.from_numpy(np.flatnonzero(rng.random(n) < 0.25))
    out[far] = interpolate(avg_pool2d(out[far], 2), scale_factor=2.0, mode="bilinear")
    _hide(out, rng)
    gain = rng.uniform(0.8, 1.2, (n, 1, 1, 1)) * rng.uniform(0.96, 1.04, (n, 3, 1, 1))
    return (out * torch.from_numpy(gain).float()).clamp(0, 1)


def _hide(crops: Any, rng: np.random.Generator) -> None:
    """Gray out a part of some crops, as what stands in front does."""
    side = crops.shape[-1]
    for row in np.flatnonzero(rng.random(len(crops)) < 0.2).tolist():
        high, wide = rng.integers(side // 6, side // 2, 2)
        top, left = rng.integers(0, side, 2)
        crops[row, :, top : top + high, left : left + wide] = float(rng.uniform(0.3, 0.6))
