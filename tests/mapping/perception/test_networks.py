"""Every kind of network that perception takes, with random weights: the real code, seeing nonsense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.mapping import Mapper
from commonground.mapping.perception import FrameSegments, Perception, make_perception
from commonground.mapping.perception.settings import PerceptionSettings
from tests.optional import needs

needs("torch", "open_clip", "ultralytics")

SECOND = 1_000_000_000
CLIP = "tiny-clip"
WORDS = ("box", "barrel", "chair")


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small networks of every kind, that ultralytics and open_clip load as theirs."""
    from commonground.mapping.perception.segmenter import import_ultralytics

    import_ultralytics()
    import open_clip
    import torch
    import ultralytics
    from ultralytics.models.sam.build import build_sam2_t
    from ultralytics.nn.tasks import SegmentationModel

    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(0)
    for name, task in (("yolov8n-seg", "segment"), ("yolov8n", "detect"), ("yolov8n-pose", "pose")):
        made = ultralytics.YOLO(f"{name}.yaml", task=task)
        made.model.names = {i: f"thing {i}" if i else "person" for i in range(80)}
        made.save(str(folder / f"{name}.pt"))
    ultralytics.YOLO("yolov8s-world.yaml").save(str(folder / "yolov8s-world.pt"))
    fast = ultralytics.YOLO("yolov8n-seg.yaml", task="segment")
    fast.model = SegmentationModel("yolov8n-seg.yaml", nc=1, verbose=False)
    fast.model.names, fast.model.task = {0: "object"}, "segment"
    fast.save(str(folder / "FastSAM-r.pt"))
    torch.save({"model": build_sam2_t().state_dict()}, folder / "sam2_t.pt")
    clip = {
        "embed_dim": 512,
        "vision_cfg": {"image_size": 32, "layers": 1, "width": 64, "patch_size": 16},
        "text_cfg": {
            "context_length": 77,
            "vocab_size": 49408,
            "width": 64,
            "heads": 2,
            "layers": 1,
        },
    }
    (folder / f"{CLIP}.json").write_text(json.dumps(clip))
    open_clip.add_model_config(folder / f"{CLIP}.json")
    torch.save(open_clip.create_model(CLIP, pretrained=None).state_dict(), folder / "openai.pt")
    (folder / "words.yaml").write_text(
        f"objects: {list(WORDS)}\nsurfaces: [floor, wall]\nignored: [person]\n"
        "prompts: ['a photo of a {}.']\n"
    )
    return folder


def opened(weights: Path, **changed: Any) -> Perception:
    networks = {
        "words_file": str(weights / "words.yaml"),
        "segmenter": "FastSAM-r.pt",
        "clip_model": CLIP,
        "clip_weights": str(weights / "openai.pt"),
        "device": "cpu",
        "image_px": 256,
        "confidence": 1e-4,
        "least_side": 0.02,
        "most_side": 1.0,
        "most_border": 1.0,
        "points": 3,
        "sam_px": 256,
    } | changed
    for name in ("segmenter", "box_segmenter"):
        if networks.get(name):
            networks[name] = str(weights / networks[name])
    return make_perception(
        PerceptionSettings.model_validate({"backend": "learned", "fastsam": networks})
    )


@pytest.fixture(scope="module")
def frame(make_stage: Any, block: Any, looking: Any) -> Any:
    things = [
        block(1, (3.0, 0.8, 0.3), (0.5, 0.4, 0.6)),
        block(2, (4.0, -0.9, 0.5), (0.6, 0.6, 1.0)),
    ]
    return make_stage(320, 240).frame(things, looking((0, 0, 0.8), (3, 0, 0.6)), 1)


@pytest.mark.parametrize(
    ("segmenter", "boxes", "name", "words"),
    [
        ("FastSAM-r.pt", "", "fastsam+clip", WORDS),
        ("yolov8n-seg.pt", "", "yolo+clip", 79),  # without persons
        ("yolov8n.pt", "", "yolo+clip", 79),
        ("yolov8n.pt", "sam2_t.pt", "yolo+clip", 79),
        ("yolov8s-world.pt", "", "yolo-world+clip", WORDS),
        ("sam2_t.pt", "", "sam2+clip", WORDS),
    ],
)
def test_each_segmenter_gives_whole_answers(
    weights: Path, frame: Any, segmenter: str, boxes: str, name: str, words: Any
) -> None:
    surer = {"confidence": 1e-3} if boxes else {}
    see = opened(weights, segmenter=segmenter, box_segmenter=boxes, **surer)
    assert see.name == name
    assert (len(see.vocabulary) if isinstance(words, int) else see.vocabulary) == words
    first, again = see.segment(frame), see.segment(frame)
    check(first, see, frame)
    np.testing.assert_array_equal(first.masks, again.masks)
    np.testing.assert_array_equal(first.embeddings, again.embeddings)
    assert first.embedding_model == f"open_clip/{CLIP}/openai.pt"


def check(found: FrameSegments, see: Perception, frame: Any) -> None:
    assert found.masks.shape == frame.depth_m.shape and found.masks.max() <= len(found)
    assert found.surfaces is not None and found.surfaces.shape == frame.depth_m.shape
    assert found.surfaces.max() < len(see.surface_words)
    assert found.label_scores.shape == (len(found), len(see.vocabulary))
    assert found.label_scores.sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert np.linalg.norm(found.embeddings, axis=1) == pytest.approx(1, abs=1e-4)


def test_a_detector_without_its_own_text_encoder_keeps_its_words(
    weights: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = weights / "laion.pt"
    other.write_bytes((weights / "openai.pt").read_bytes())
    see = opened(weights, segmenter="yolov8s-world.pt", clip_weights=str(other))
    assert len(see.vocabulary) == 80 and see.vocabulary != WORDS
    assert "looks for the 80 words of its checkpoint" in caplog.text


@pytest.mark.parametrize("backend", ["learned", "auto"])
def test_a_detector_with_classes_of_its_own_needs_no_encoder(
    weights: Path, frame: Any, backend: str, monkeypatch: Any, tmp_path: Path, caplog: Any
) -> None:
    monkeypatch.setattr("commonground.mapping.perception.learned.local_clip", lambda *_: None)
    monkeypatch.setattr("commonground.mapping.perception.learned.reachable", lambda _: False)
    own = {"segmenter": str(weights / "yolov8n-seg.pt"), "device": "cpu", "confidence": 1e-4}
    settings = PerceptionSettings.model_validate({"backend": backend, "fastsam": own})
    see = make_perception(settings)
    found = see.segment(frame)
    assert see.name == "yolo+color" and "thing 5" in see.vocabulary
    assert "the names that yolo gives" in caplog.text
    check(found, see, frame)


def test_a_segmenter_without_classes_needs_one(weights: Path, monkeypatch: Any) -> None:
    for place in ("clip", "learned"):
        name = f"commonground.mapping.perception.{place}"
        monkeypatch.setattr(f"{name}.local_clip", lambda *_: None)
        monkeypatch.setattr(f"{name}.reachable", lambda _: False)
    own = {"segmenter": str(weights / "FastSAM-r.pt"), "device": "cpu"}
    with pytest.raises(MappingError, match="CLIP weights"):
        make_perception(PerceptionSettings.model_validate({"backend": "learned", "fastsam": own}))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"segmenter": "yolov8n-pose.pt"}, "is a network for 'pose'"),
        ({"segmenter": "openai.pt"}, "segmenter weights .* do not load"),
        ({"segmenter": "yolov8n.pt", "box_segmenter": "FastSAM-r.pt"}, "none of SAM's checkpoints"),
        ({"clip_model": "ViT-B-32"}, "CLIP weights .* do not load"),
        ({"embedder": "../no such model"}, "embedder"),
    ],
)
def test_weights_of_another_network_are_one_line(
    weights: Path, changed: dict[str, Any], said: str
) -> None:
    if "embedder" in changed:
        pytest.importorskip("transformers")
    with pytest.raises(MappingError, match=said) as caught:
        opened(weights, **changed)
    assert "\n" not in str(caught.value)


def test_a_sam_checkpoint_that_holds_something_else_is_one_line(
    weights: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "sam2_t.pt"
    wrong.write_bytes((weights / "yolov8n.pt").read_bytes())
    with pytest.raises(MappingError, match="do not load"):
        opened(weights, segmenter=str(wrong))


def test_words_are_encoded_once_for_the_same_weights(
    weights: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from commonground.mapping.perception.clip import Clip

    monkeypatch.setenv("COMMONGROUND_WEIGHTS", str(tmp_path))
    asked: list[int] = []
    encode = Clip.words

    def counted(self: Clip, words: Any, prompts: Any) -> Any:
        asked.append(len(words))
        return encode(self, words, prompts)

    monkeypatch.setattr(Clip, "words", counted)
    opened(weights)
    opened(weights)
    assert asked == [6]
    (kept,) = (tmp_path / "words").iterdir()
    kept.write_bytes(b"damaged")
    opened(weights)
    assert asked == [6, 6]


def test_weights_are_found_where_doctor_says(
    weights: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from commonground.mapping.perception.here import weight_checks
    from commonground.mapping.perception.settings import FastSamSettings

    monkeypatch.setenv("COMMONGROUND_WEIGHTS", str(tmp_path / "w"))
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    asked = FastSamSettings(segmenter="FastSAM-r.pt", clip_model=CLIP, clip_weights="openai.pt")
    settings = PerceptionSettings(fastsam=asked)
    assert {c.status for c in weight_checks(asked)} == {"optional"}
    assert make_perception(settings).name == "classical"
    cache = tmp_path / "hub" / "checkpoints"  # torch's
    cache.mkdir(parents=True)
    (tmp_path / "w").mkdir()
    (cache / "FastSAM-r.pt").write_bytes((weights / "FastSAM-r.pt").read_bytes())
    (tmp_path / "w" / "openai.pt").write_bytes((weights / "openai.pt").read_bytes())
    assert {c.status for c in weight_checks(asked)} == {"ok"}
    assert make_perception(settings).name == "fastsam+clip"


def test_a_map_is_made_of_the_frames_that_are_worth_to_look_at(
    weights: Path, make_stage: Any, block: Any, looking: Any
) -> None:
    mapper = Mapper(opened(weights, look_m=0.25), robot="r")
    stage, thing = make_stage(320, 240), block(1, (3.0, 0.8, 0.3), (0.5, 0.4, 0.6))
    for i in range(6):  # 10 cm a frame
        pose = looking((0.1 * i, 0, 0.8), (3 + 0.1 * i, 0, 0.6))
        mapper.integrate(stage.frame([thing], pose, (i + 1) * SECOND // 10))
    result = mapper.finish()
    assert result.metrics["frames"] == 6
    assert result.metrics["seconds"]["perception"]["calls"] == 2
    assert result.metrics["seconds"]["surface"]["calls"] == 6
    assert set(result.metrics["perception_seconds"]) == {"masks", "looks", "names", "surfaces"}
    assert result.metrics["perception"] == "fastsam+clip"
    assert result.objects.vocabulary == WORDS
