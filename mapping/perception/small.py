"""The small dual encoder that ships: open_clip's interface, trained on simulated things alone.

It stands in for CLIP where CLIP's weights are not: tests, demonstrations, simulated worlds. Of the real
world it knows nothing. ``tools/looks/train.py`` makes it.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from commonground.looks import Calibration
from commonground.mapping.perception.settings import FastSamSettings
from commonground.names import within
from commonground.reading import read_text

NAME = "simulated"
"""As ``perception.fastsam.clip_model``."""
WEIGHTS = "simulated.safetensors"
"""As ``perception.fastsam.clip_weights``."""


def shipped(name: str) -> Path:
    """Return the path of a file of the small model."""
    return within(Path(str(files("commonground.mapping.perception").joinpath("data"))), name)


def register(config: Path | None = None) -> None:
    """Make open_clip know the small model by its name, and timm its image tower."""
    import open_clip
    from timm.models import is_model, register_model

    from commonground.mapping.perception.small_net import commonground_small

    if not is_model(commonground_small.__name__):
        register_model(commonground_small)
    open_clip.add_model_config(config or shipped(f"{NAME}.json"))


def tokenizer_options(model: str) -> dict[str, str]:
    """Return what open_clip's tokenizer needs for a model: the small one has word pieces of its own."""
    return {"bpe_path": str(shipped(f"{NAME}.pieces.gz"))} if model == NAME else {}


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
