"""Encoders of transformers with random weights: DINOv2, which knows no words, and SigLIP, which does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.mapping.perception.factory import make_perception
from commonground.mapping.perception.settings import FastSamSettings, PerceptionSettings
from commonground.mapping.perception.text import open_encoder
from commonground.mapping.perception.vectors import WordVectors
from commonground.scene import Layer, SceneGraph, save_scene
from commonground.scene.layer import OBJECTS
from commonground.story.finding import open_map
from commonground.symbols import node_ids
from tests.optional import needs

needs("torch", "transformers")

SMALL = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 64,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    home = tmp_path_factory.mktemp("hub")
    dino = transformers.Dinov2Config(**SMALL, image_size=56, patch_size=14)
    transformers.Dinov2Model(dino).save_pretrained(home / "dino")
    prepare(home / "dino", "BitImageProcessor", {"crop_size": {"height": 28, "width": 28}})
    siglip = transformers.SiglipConfig(
        text_config={
            **SMALL,
            "vocab_size": 16,
            "max_position_embeddings": 8,
            "projection_size": 32,
            "bos_token_id": 0,
            "eos_token_id": 1,
            "pad_token_id": 2,
        },
        vision_config={**SMALL, "image_size": 32, "patch_size": 16},
    )
    transformers.SiglipModel(siglip).save_pretrained(home / "siglip")
    prepare(home / "siglip", "SiglipImageProcessor", {"size": {"height": 32, "width": 32}})
    words = {w: i for i, w in enumerate(["[UNK]", "[PAD]", "a", "photo", "of", "box", "chair"])}
    unknown, filler = {"unk_token": "[UNK]"}, {"pad_token": "[PAD]"}
    tokens = Tokenizer(models.WordLevel(words, **unknown))
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokens, **unknown, **filler, model_max_length=8
    )
    made.save_pretrained(home / "siglip")
    return home


def prepare(folder: Path, kind: str, size: dict[str, Any]) -> None:
    colors = {"image_mean": [0.5] * 3, "image_std": [0.5] * 3}
    said = json.dumps({"image_processor_type": kind, **colors, **size})
    (folder / "preprocessor_config.json").write_text(said)


@pytest.mark.parametrize(
    ("name", "kind", "worded"), [("dino", "dinov2", 0), ("siglip", "siglip", 1)]
)
def test_looks_by_name_of_a_model(folder: Path, name: str, kind: str, worded: int) -> None:
    encoder = open_encoder(FastSamSettings(embedder=str(folder / name), device="cpu", batch=2))
    assert (encoder.name, encoder.kind) == (f"transformers/{name}", kind)
    assert isinstance(encoder, WordVectors) == bool(worded)
    rgb = np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8)
    masks = np.zeros((3, 40, 60), bool)
    masks[0, 5:20, 5:20] = masks[1, 20:40, 30:60] = masks[2, :, :10] = True
    boxes = np.array([[5, 5, 20, 20], [30, 20, 60, 40], [0, 0, 10, 40]])
    looks = encoder.images(rgb, masks, boxes)
    assert looks.shape == (3, 32)
    assert np.linalg.norm(looks, axis=1) == pytest.approx(1, abs=1e-5)
    one = encoder.images(rgb, masks[1:2], boxes[1:2])
    np.testing.assert_allclose(looks[1:2], one, atol=1e-5)  # batches do not mix
    assert encoder.images(rgb, masks[:0], boxes[:0]).shape == (0, 32)
    if isinstance(encoder, WordVectors):
        words = encoder.words(["box", "chair", "box"], ["a {}", "a photo of a {}"])
        np.testing.assert_allclose(words[0], words[2], atol=1e-5)
        assert words.shape == (3, 32) and not np.allclose(words[0], words[1])


def test_true_masks_are_embedded_by_the_chosen_model(folder: Path) -> None:
    settings = PerceptionSettings.model_validate(
        {
            "ground_truth": {"by_words": True},
            "fastsam": {"embedder": str(folder / "siglip"), "device": "cpu"},
        }
    )
    assert make_perception(settings, labels={1: "box"}).embedding_model == "transformers/siglip"


def test_a_model_without_some_of_its_weights_is_refused(folder: Path, tmp_path: Path) -> None:
    """transformers would make them up, and every map would be of nonsense without a word."""
    for file in (folder / "dino").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 2}))
    with pytest.raises(MappingError, match="of its weights are not in the file"):
        open_encoder(FastSamSettings(embedder=str(tmp_path), device="cpu"))
    (tmp_path / "model.safetensors").write_bytes(b"<html>404</html>")
    with pytest.raises(MappingError, match=r"do not load.*classical") as caught:
        open_encoder(FastSamSettings(embedder=str(tmp_path), device="cpu"))
    assert "\n" not in str(caught.value)


def test_a_map_seen_by_siglip_is_asked_by_words(folder: Path, tmp_path: Path) -> None:
    """Random weights know no box, but the way from settings to probabilities is the same."""
    settings = FastSamSettings(embedder=str(folder / "siglip"), device="cpu")
    encoder = open_encoder(settings)
    assert isinstance(encoder, WordVectors) and encoder.bias is not None
    seen = encoder.words(["box", "chair"], ["a photo of a {}"])
    layer = Layer.of(OBJECTS, node_ids("O", np.arange(2)), np.eye(2, 3), features=seen)
    graph = SceneGraph(metadata={"embedding_model": encoder.name}).with_layer("objects", layer)
    save_scene(graph, tmp_path / "scene.json")
    asked = open_map(tmp_path, settings, None)
    assert asked.encoder is not None and asked.note == ""
    found = asked.find("box")
    assert found.by_looks and found.model == "transformers/siglip"
    assert all(h.probability is not None and 0 <= h.probability <= 1 for h in found.hits)
    other = open_map(tmp_path, FastSamSettings(embedder=str(folder / "dino"), device="cpu"), None)
    assert "'transformers/siglip'" in other.note and "'transformers/dino'" in other.note
    assert "--looks makes them anew" in other.note
    graph = SceneGraph(metadata={"embedding_model": "transformers/dino"}).with_layer(
        "objects", layer
    )
    save_scene(graph, tmp_path / "scene.json")
    wordless = open_map(
        tmp_path, FastSamSettings(embedder=str(folder / "dino"), device="cpu"), None
    )
    assert "knows no words" in wordless.note and not wordless.find("box").by_looks
