"""Turn a trained network into the files that the package ships and reads with.

    python tools/reading/export.py TRAINED.pt WORDS.npz [--out grounding/english/data]

`words.npz` holds what words mean, `tables.npz` what was learned of pieces and words, both as signed bytes;
the three graphs hold the rest, with weights of eight bits.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from examples import all_wordings, load
from network import Network, Size
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from train import WORDINGS

from commonground.grounding.english.symbols import all_symbols
from commonground.grounding.english.tokens import BUCKETS, pieces

OUT = Path(__file__).resolve().parents[2] / "grounding" / "english" / "data"
LEAST = 4
"""A word that was read less often is known by its letters and meaning alone, as in training now and then."""


class Encode(nn.Module):
    """What tokens are known by → states and tag log probabilities."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(self, known: Tensor) -> tuple[Tensor, Tensor]:
        states, tags = self.net.encoder(known, torch.ones_like(known[:, :, 0], dtype=torch.bool))
        return states, tags.log_softmax(-1)


class Look(nn.Module):
    """States, tags and spans → what the decoder looks at."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(self, states: Tensor, tags: Tensor, members: Tensor) -> tuple[Tensor, Tensor]:
        memory = self.net.memory(states, tags)
        pairs = [torch.stack(layer.look.keys_values(memory)) for layer in self.net.layers]
        return self.net.spans(memory, members), torch.stack(pairs)


class Write(nn.Module):
    """The last symbol or span of each row → log probabilities of the next."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(
        self,
        symbols: Tensor,
        pointers: Tensor,
        scopes: Tensor,
        used: Tensor,
        spans: Tensor,
        seen: Tensor,
        past: Tensor,
    ) -> tuple[Tensor, Tensor]:
        net = self.net
        rows = symbols.shape[0]
        wide = spans.expand(rows, -1, -1)
        x = net.inputs(symbols, pointers, scopes, wide)
        kept = []
        for k, layer in enumerate(net.layers):
            now = torch.stack(layer.attend.keys_values(layer.n1(x)))
            both = torch.cat([past[k], now], -2)
            kept.append(both)
            look = seen[k].expand(-1, rows, -1, -1, -1)
            x = layer(x, (both[0], both[1]), (look[0], look[1]), None, None, past.shape[-2])
        symbol, point = net.scores(x, wide, used)
        return torch.cat([symbol, point], -1)[:, 0].log_softmax(-1), torch.stack(kept)


def quantized(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a table as signed bytes with a scale for each row."""
    scale = np.abs(table).max(1, keepdims=True) / 127
    rows = np.round(table / np.maximum(scale, 1e-12)).astype(np.int8)
    return rows, scale[:, 0].astype(np.float16)


def unsigned(model: onnx.ModelProto) -> None:
    """Turn the small numbers of a graph, and their zeros, from signed ones into unsigned ones.

    Products of signed with unsigned bytes overflow on processors without VNNI, which then read otherwise.
    """
    for constant in model.graph.initializer:
        if constant.data_type == onnx.TensorProto.INT8:
            moved = numpy_helper.to_array(constant).astype(np.int16) + 128
            constant.CopyFrom(numpy_helper.from_array(moved.astype(np.uint8), constant.name))


def often(least: int) -> np.ndarray:
    """Return which rows of the table of whole words belong to words that were read often enough to know."""
    count = np.zeros(BUCKETS, np.int64)
    for example in load(all_wordings(WORDINGS)):
        np.add.at(count, [pieces(token)[0] for token in example.tokens], 1)
    return count >= least


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path)
    parser.add_argument("words", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    kept = torch.load(asked.trained)
    size = Size(**kept["size"])
    net = Network(size).eval()
    net.load_state_dict(kept["state"])
    asked.out.mkdir(parents=True, exist_ok=True)
    known = net.encoder.into.in_features
    heads, each = size.heads, size.width // size.heads
    t, s, b, p = 7, 3, 2, 5
    states, tags = torch.zeros(1, t, size.width), torch.zeros(1, t, dtype=torch.long)
    members = torch.zeros(1, s, t)
    spans, seen = Look(net)(states, tags, members)
    past = torch.zeros(size.decoder, 2, b, heads, p, each)
    ones = torch.ones(b, 1, dtype=torch.long)
    T, S, B, P = (torch.export.Dim(name, max=2000) for name in ("T", "S", "B", "P"))
    graphs = {
        "encode": (Encode(net), (torch.zeros(1, t, known),), ({1: T},), ["known"], ["states", "tags"]),
        "look": (
            Look(net), (states, tags, members), ({1: T}, {1: T}, {1: S, 2: T}),
            ["states", "tags", "members"], ["spans", "seen"],
        ),
        "write": (
            Write(net),
            (ones, ones.clone(), ones.clone(), torch.zeros(b, 1, s), spans, seen, past),
            ({0: B}, {0: B}, {0: B}, {0: B, 2: S}, {1: S}, {4: T}, {2: B, 4: P}),
            ["symbols", "pointers", "scopes", "used", "spans", "seen", "past"],
            ["scores", "kept"],
        ),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for name, (module, inputs, shapes, names, outputs) in graphs.items():
            plain = Path(folder) / f"{name}.onnx"
            program = torch.onnx.export(
                module.eval(), inputs, dynamic_shapes=shapes, input_names=names,
                output_names=outputs, dynamo=True, verbose=False,
            )  # fmt: skip
            program.save(plain)
            model = onnx.load(plain)
            onnx.save(model, plain)
            target = asked.out / f"{name}.onnx"
            quantize_dynamic(plain, target, weight_type=QuantType.QInt8, per_channel=True)
            small = onnx.load(target)
            unsigned(small)
            onnx.save(small, target)
            print(target, target.stat().st_size)
    arrays = {}
    for name, table in (("pieces", net.encoder.pieces), ("whole", net.encoder.whole)):
        arrays[name], arrays[f"{name}_scale"] = quantized(table.weight.detach().numpy())
    arrays["whole"][~often(LEAST)] = 0
    words = np.load(asked.words)
    names = np.frombuffer("\n".join(words["words"].tolist()).encode(), np.uint8)
    np.savez_compressed(asked.out / "words.npz", words=names, vectors=words["vectors"])
    arrays["symbols"] = np.frombuffer("\n".join(all_symbols()).encode(), np.uint8)
    arrays["shape"] = np.array([size.decoder, heads, each])
    np.savez_compressed(asked.out / "tables.npz", **arrays)
    print((asked.out / "tables.npz").stat().st_size)


if __name__ == "__main__":
    main()
