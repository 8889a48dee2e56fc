"""Train the small dual encoder on crops and captions of simulated things.

    python tools/looks/train.py                 # writes mapping/perception/data/simulated.*
    python tools/looks/train.py --out FOLDER --rooms 1 --left-out 1 --views 1 --steps 2 --words 2   # tries it

First the image tower learns to tell kinds, colors and materials, without words; then the text tower learns
which words are true of what it sees; at last the model's own probability is set right on showrooms left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
import open_clip
import torch
from captions import Captions
from crops import crops
from naming import Namer
from pieces import merges_for, write_merges
from safetensors.torch import save_file
from seeing import fit, vectors
from tower import commonground_small, register

from commonground.mapping.perception.small import IMAGE_PX, NAME

DATA = Path(__file__).resolve().parents[2] / "mapping/perception/data"
LEFT_OUT = 100_000
"""First seed of the showrooms that are not trained on."""
MODEL = {
    "embed_dim": 96,
    "init_logit_scale": float(np.log(10)),
    "init_logit_bias": -6.0,
    "vision_cfg": {
        "image_size": IMAGE_PX,
        "timm_model_name": commonground_small.__name__,
        "timm_pool": "",
        "timm_proj": "",
    },
    "text_cfg": {"context_length": 12, "width": 96, "heads": 4, "layers": 1},
}


def main() -> None:
    """Read the command line, train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument("--rooms", type=int, default=24, help="each with a furnished world")
    parser.add_argument("--views", type=int, default=4, help="of each thing")
    parser.add_argument("--steps", type=int, default=2400, help="of the image tower")
    parser.add_argument("--words", type=int, default=900, help="steps of the text tower")
    parser.add_argument("--left-out", type=int, default=4, help="rooms that are not trained on")
    parser.add_argument(
        "--asked", type=int, default=40, help="rooms that set the probability right"
    )
    asked = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    captions = Captions()
    model = new_model(captions, asked.out)
    gray = model.visual.image_mean
    trained = crops(range(asked.rooms), asked.views, IMAGE_PX, gray)
    fresh = crops(range(LEFT_OUT, LEFT_OUT + asked.left_out), asked.views, IMAGE_PX, gray)
    print(f"{len(trained[1]):,} crops for training, {len(fresh[1]):,} left out", flush=True)
    fit(model.visual, *trained, fresh, asked.steps)
    namer = Namer(model, captions, asked.out)
    namer.learn(*vectors(model.visual, *trained), asked.words)
    namer.settle(*vectors(model.visual, *fresh), asked.asked)
    save(model, asked.out)


def new_model(captions: Captions, out: Path) -> Any:
    """Write word pieces and configuration into a folder and return the model that they describe."""
    out.mkdir(parents=True, exist_ok=True)
    tokens = write_merges(merges_for(captions.words()), out / f"{NAME}.pieces.gz")
    (out / f"{NAME}.words.txt").write_text("\n".join(captions.taught()) + "\n")
    config = MODEL | {"text_cfg": MODEL["text_cfg"] | {"vocab_size": tokens}}
    (out / f"{NAME}.json").write_text(json.dumps(config, indent=2) + "\n")
    register(out / f"{NAME}.json")
    model = open_clip.create_model(NAME)
    print(f"{sum(p.numel() for p in model.parameters()):,} numbers", flush=True)
    return model


def save(model: Any, out: Path) -> None:
    """Write the weights at half precision, and that nobody calibrated them yet (``calibrate.py``)."""
    (out / f"{NAME}.calibration.json").write_text("{}\n")
    weights = {k: v.contiguous() for k, v in model.state_dict().items()}
    save_file(
        {k: v.half() if v.is_floating_point() else v for k, v in weights.items()},
        out / f"{NAME}.safetensors",
    )


if __name__ == "__main__":
    main()
