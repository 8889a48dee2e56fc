"""The small dual encoder that ships: open_clip's interface, trained on simulated things alone.

It stands in for CLIP where CLIP's weights are not: tests, demonstrations, simulated worlds. Of the real
world it knows nothing. ``tools/looks/train.py`` makes it.
"""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.looks import Calibration
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.small_pieces import Pieces
from commonground.names import within
from commonground.reading import read_text

if TYPE_CHECKING:
    from commonground.mapping.perception.small_net import SmallClip

NAME = "simulated"
"""As ``perception.fastsam.clip_model``."""
WEIGHTS = "simulated.safetensors"
"""As ``perception.fastsam.clip_weights``."""
NEEDS = ("torch", "tokenizers", "safetensors")
SIZE = (48, 48)
MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
"""What it sees, and the colors that it takes for usual: those of CLIP (Radford et al. 2021)."""


def shipped(name: str) -> Path:
    """Return the path of a file of the small model."""
    return within(Path(str(files("commonground.mapping.perception").joinpath("data"))), name)


def register(config: Path | None = None) -> None:
    """Make open_clip know the small model by its name, and timm its image tower, to train it."""
    import open_clip
    from timm.models import is_model, register_model

    from commonground.mapping.perception.small_net import commonground_small

    if not is_model(commonground_small.__name__):
        register_model(commonground_small)
    open_clip.add_model_config(config or shipped(f"{NAME}.json"))


def load(weights: Path) -> tuple[SmallClip, Pieces]:
    """Return the small model with its weights, and what makes rows of word pieces for it."""
    from safetensors.torch import load_file

    from commonground.mapping.perception.small_net import SmallClip

    config = json.loads(read_text(shipped(f"{NAME}.json")))
    model = SmallClip(config)
    model.load(load_file(weights))
    pieces = Pieces(shipped(f"{NAME}.pieces.gz"), config["text_cfg"]["context_length"])
    return model, pieces


def taught(model: str) -> tuple[str, ...]:
    """Return the nouns and attributes that the small model was taught; none for any other model."""
    if model != NAME:
        return ()
    return tuple(read_text(shipped(f"{NAME}.words.txt")).splitlines())


def calibration(model: str) -> Calibration:
    """Return how sure the small model makes one; any other is taken at its word."""
    return Calibration.read(shipped(f"{NAME}.calibration.json")) if model == NAME else Calibration()


def simulated() -> FastSamSettings:
    """Return the settings that take the small model instead of CLIP."""
    return FastSamSettings(clip_model=NAME, clip_weights=WEIGHTS)
