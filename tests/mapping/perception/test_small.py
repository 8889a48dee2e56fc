"""The small dual encoder that ships: from pixels of things no label list has to words."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from commonground.datasets.simulator.camera import Renderer
from commonground.errors import MappingError
from commonground.looks import Calibration
from commonground.mapping.perception import Clip, read_picture
from commonground.mapping.perception.cutouts import cut_out
from commonground.mapping.perception.small import (
    NAME,
    NEEDS,
    WEIGHTS,
    shipped,
    simulated,
)
from commonground.mapping.perception.tensors import Preparation, shown
from tools.showroom.catalog import catalog
from tools.showroom.portraits import portraits
from tools.showroom.showroom import all_kinds, showroom

ROOT = Path(__file__).parents[3]
KINDS = tuple(sorted(catalog())[::6])
"""Kinds of things that no label list has."""


@pytest.fixture(scope="module")
def encoder() -> Clip:
    for library in NEEDS:
        pytest.importorskip(library)
    return Clip(simulated())


def looks(encoder: Clip, seed: int) -> Any:
    world, rng = showroom(KINDS, seed), np.random.default_rng(seed)
    renderer = Renderer(world)
    out = []
    for thing in world.things:
        shots = list(portraits(renderer, thing, 6, rng))
        vectors = [encoder.images(s.rgb, s.mask[None], s.box[None])[0] for s in shots]
        out.append(np.mean(vectors, axis=0))
    return np.array(out)


def test_things_are_known_by_words_for_them(encoder: Clip) -> None:
    words = encoder.words(KINDS, ("a photo of a {}",))
    assert np.linalg.norm(words, axis=1) == pytest.approx(1, abs=1e-4)
    right = (looks(encoder, 777) @ words.T).argmax(axis=1) == np.arange(len(KINDS))
    assert right.mean() >= 0.85


def test_what_is_not_there_is_less_likely_than_what_is(encoder: Clip) -> None:
    words = encoder.words([*KINDS, "volcano", "hippopotamus"], ("a photo of a {}",))
    assert encoder.bias is not None
    cosines = looks(encoder, 778) @ words.T
    strange, known = cosines[:, len(KINDS) :], cosines[:, : len(KINDS)].max(axis=1)
    assert (strange > known[:, None]).mean() < 0.1


def test_open_clip_makes_the_same_of_its_files(encoder: Clip) -> None:
    open_clip, torch = pytest.importorskip("open_clip"), pytest.importorskip("torch")
    from tools.looks.tower import register

    register()
    theirs = open_clip.create_model(NAME, pretrained=str(shipped(WEIGHTS))).eval()
    tokens = open_clip.get_tokenizer(NAME, bpe_path=str(shipped(f"{NAME}.pieces.gz")))
    said = ["a photo of a fire hydrant", "It's 2 dog-houses!", "", "Ω 火", "a" * 300, "a b " * 20]
    rng = np.random.default_rng(1)
    crops = [rng.random((3, side, side), np.float32) for side in (48, 7, 90, 3, 333)]
    how = Preparation((48, 48), theirs.visual.image_mean, theirs.visual.image_std)
    with torch.inference_mode():
        ours = (encoder._said(said), encoder._looks(crops), encoder.scale, encoder.bias)
        others = (theirs.encode_text(tokens(said)), theirs.logit_scale.exp(), theirs.logit_bias)
        read, scale, bias = (of.numpy() for of in others)
        seen = shown(theirs.encode_image, crops, how, "cpu")
    for here, there in zip(ours, (read, seen, scale, bias), strict=True):
        np.testing.assert_allclose(here, there, atol=1e-4, rtol=1e-4)


def test_it_is_opened_without_torch() -> None:
    code = (
        "import sys; from commonground.mapping.perception import Clip; "
        "from commonground.mapping.perception.small import simulated; "
        "clip = Clip(simulated()); clip.words(['box'], ['a {}']); print('torch' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    numpy = pytest.importorskip("safetensors.numpy")
    known, file = numpy.load_file(shipped(WEIGHTS)), tmp_path / "other.safetensors"
    settings = simulated().model_copy(update={"clip_weights": str(file)})
    text = "token_embedding.weight"
    others = (
        {"a": known[text]},
        {**known, text: known[text][:9]},
        {**known, text: known[text][:, 1:]},
    )
    for weights in others:
        numpy.save_file(weights, file)
        with pytest.raises(MappingError, match="do not load"):
            Clip(settings)
    file.write_text("<html>404</html>")
    with pytest.raises(MappingError, match="do not load"):
        Clip(settings)


def test_a_file_that_is_no_picture_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "note.jpg"
    file.write_text("no picture")
    for path in (file, tmp_path / "nowhere.png", tmp_path):
        with pytest.raises(MappingError, match="no picture that can be read"):
            read_picture(path)


def test_all_words_can_be_read(encoder: Clip) -> None:
    assert np.isfinite(encoder.words(["", "Ω 火", "a" * 300], ("{}",))).all()


def test_what_is_cut_out_keeps_its_shape_and_is_gray_beyond_the_image() -> None:
    rgb = np.zeros((60, 40, 3), np.uint8)
    mask = np.zeros((60, 40), bool)
    mask[5:55, 0:10] = True
    rgb[mask] = 255
    gray = (0.5, 0.5, 0.5)
    crop = cut_out(rgb, mask, np.array([0, 5, 10, 55]), margin=0, dim=0.5, gray=gray)
    row = crop[0, 25]
    assert (row > 0.9).sum() == pytest.approx(10, abs=1), "a pole stays a pole"
    assert row[:19] == pytest.approx(0.5, abs=0.02), "beyond the image there is nothing"
    assert row[32:] == pytest.approx(0.25, abs=0.02), "what is not the thing is dimmed"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """What runs a script of tools/looks here, where its libraries are loaded."""
    known = set(sys.modules)

    def ran(script: str, *words: str, instead: Mapping[str, Any] = MappingProxyType({})) -> None:
        for folder in ("benchmarks", "tools/looks"):
            monkeypatch.syspath_prepend(str(ROOT / folder))
        for name, value in instead.items():
            monkeypatch.setattr(name, value)
        path = str(ROOT / "tools/looks" / script)
        monkeypatch.setattr(sys, "argv", [path, *words])
        runpy.run_path(path, run_name="__main__")

    yield ran
    for name in set(sys.modules) - known:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if Path(file).parent in (ROOT / "tools/looks", ROOT / "benchmarks"):
            del sys.modules[name]  # names that others may have


def test_the_command_that_trains_it_writes_all_that_is_loaded(
    encoder: Clip, tmp_path: Path, tool: Callable[..., None]
) -> None:
    safetensors = pytest.importorskip("safetensors")
    some = all_kinds()[::2]
    few = {"crops.all_kinds": lambda: some, "crops.furnished": lambda _: showroom(KINDS, 1)}
    brief = ["--rooms", "1", "--left-out", "1", "--views", "1", "--steps", "2", "--words", "2"]
    brief += ["--asked", "2"]
    tool("train.py", "--out", str(tmp_path), *brief, instead=few)
    assert {f.name for f in tmp_path.iterdir()} == {
        f.name for f in shipped(NAME).parent.glob(f"{NAME}.*")
    }
    with (
        safetensors.safe_open(tmp_path / WEIGHTS, "numpy") as new,
        safetensors.safe_open(shipped(WEIGHTS), "numpy") as old,
    ):
        names = sorted(old.keys())
        assert sorted(new.keys()) == names
        assert all(new.get_tensor(k).shape == old.get_tensor(k).shape for k in names)


def test_the_command_that_calibrates_it_writes_what_is_loaded(
    encoder: Clip, tmp_path: Path, tool: Callable[..., None]
) -> None:
    out = tmp_path / "numbers.json"
    tool("calibrate.py", "showroom:950", "--out", str(out))
    fitted = Calibration.read(out)
    assert -5 < fitted.prior < 5 and np.isfinite(fitted.clarity)
    assert Calibration.read(shipped(f"{NAME}.calibration.json")).clarity > 0
