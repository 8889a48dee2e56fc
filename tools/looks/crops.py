"""Crops of simulated things, cut out as where maps are made, with what is true of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from captions import Look

from commonground.datasets.simulator.camera import Renderer
from commonground.datasets.simulator.portraits import portraits
from commonground.datasets.world.catalog import attributes
from commonground.datasets.world.showroom import all_kinds, showroom
from commonground.mapping.perception.cutouts import cut_out
from commonground.mapping.perception.settings import FastSamSettings


def crops(seed: int, views: int, size: int, gray: Any) -> tuple[Any, list[Look]]:
    """Return crops (n, 3, size, size) as bytes and the looks of a showroom with a thing of each kind."""
    rng = np.random.default_rng([seed, 0xC0])
    world = showroom(rng.permutation(all_kinds()).tolist(), seed)
    renderer, settings = Renderer(world), FastSamSettings()
    images, looks = [], []
    for thing in world.things:
        look = Look(thing.kind, *attributes(thing.shape))
        for seen in portraits(renderer, thing, views, rng):
            crop = cut_out(
                seen.rgb, seen.mask, seen.box, (size, size),
                margin=settings.margin, dim=settings.dim_background, gray=gray,
            )  # fmt: skip
            images.append((crop * 255).round().to(torch.uint8))
            looks.append(look)
    return torch.stack(images), looks
