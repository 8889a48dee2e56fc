"""Turn the files that the package reads with back into a network that can be trained further, and its words.

    python tools/reading/restore.py WORDS.npz TRAINED.pt [--shipped grounding/english/data]

`export.py` gives the weights of the graphs names of its own. So a network whose every weight is known is
exported beside: what equals a weight there has the place of that weight here. Weights of eight bits are near
enough to go on from. The words are written as `lexicon.py` writes them: made anew, on another machine, each
has other numbers that mean the same, which this network has never seen.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import numpy as np
import onnx
import torch
from export import OUT
from network import Network, Size
from onnx import numpy_helper
from torch import Tensor

GRAPHS = ("encode", "look", "write")
TABLES = ("pieces", "whole")
ALIKE = 0.08
"""How far eight bits may be from a weight, beside its usual size."""


def main() -> int:
    """Write the network."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", type=Path)
    parser.add_argument("trained", type=Path)
    parser.add_argument("--shipped", type=Path, default=OUT)
    asked = parser.parse_args()
    asked.words.write_bytes(words_of(asked.shipped / "words.npz"))
    marked = distinct()
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder) / "known.pt"
        torch.save({"state": marked, "size": asdict(Size())}, known)
        export = Path(__file__).parent / "export.py"
        command = [sys.executable, str(export), str(known), str(asked.words), "--out", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        state = restored(marked, Path(folder), asked.shipped)
    missing = sorted(set(marked) - set(state))
    if missing:
        print("not found: " + ", ".join(missing))
        return 1
    torch.save({"state": state, "size": asdict(Size())}, asked.trained)
    return 0


def words_of(shipped: Path) -> bytes:
    """Return a table of words as `train.py` reads it."""
    kept, out = np.load(shipped), io.BytesIO()
    words = kept["words"].tobytes().decode().split("\n")
    np.savez_compressed(out, words=np.array(words), vectors=kept["vectors"])
    return out.getvalue()


def distinct() -> dict[str, Tensor]:
    """Return weights of a network of which no two are alike."""
    torch.manual_seed(0)
    net = Network(Size())
    with torch.no_grad():
        for name, weight in net.named_parameters():
            middle = float(weight.ndim == 1 and name.endswith("weight"))
            weight.copy_(torch.randn_like(weight) * 0.05 + middle)
    return net.state_dict()


def restored(marked: dict[str, Tensor], known: Path, shipped: Path) -> dict[str, Tensor]:
    """Return the weights of the shipped files by the names that a network has for them."""
    found: dict[str, Tensor] = {}
    for graph in GRAPHS:
        there = weights_of(shipped / f"{graph}.onnx")
        for name, values in weights_of(known / f"{graph}.onnx").items():
            place = place_of(values, marked)
            if place is not None:
                key, turned = place
                found[key] = torch.tensor(there[name].T.copy() if turned else there[name].copy())
    tables = np.load(shipped / "tables.npz")
    for name in TABLES:
        rows = tables[name].astype(np.float32)
        found[f"encoder.{name}.weight"] = torch.tensor(
            rows * tables[f"{name}_scale"].astype(np.float32)[:, None]
        )
    return found


def weights_of(path: Path) -> dict[str, np.ndarray]:
    """Return the numbers of a graph that are no integers, by their names."""
    kept = {i.name: numpy_helper.to_array(i) for i in onnx.load(path).graph.initializer}
    found = {name: values for name, values in kept.items() if values.dtype == np.float32}
    for name, values in kept.items():
        base = name.removesuffix("_quantized")
        if base != name:
            zero = kept[f"{base}_zero_point"].astype(np.float32)
            found[base] = (values.astype(np.float32) - zero) * kept[f"{base}_scale"]
    return found


def place_of(values: np.ndarray, marked: dict[str, Tensor]) -> tuple[str, bool] | None:
    """Return which weight some numbers are, and whether rows and columns are exchanged."""
    best, least = None, ALIKE
    for name, weight in marked.items():
        for turned in (False, True) if weight.ndim == 2 else (False,):
            plain = weight.numpy().T if turned else weight.numpy()
            if plain.shape == values.shape:
                off = float(np.abs(plain - values).mean() / (np.abs(plain).mean() + 1e-9))
                if off < least:
                    best, least = (name, turned), off
    return best


if __name__ == "__main__":
    sys.exit(main())
