"""Damaged files of every format: no traceback, no hang, no memory blow-up, only frames or one clear line."""

from __future__ import annotations

import resource
import shutil
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.datasets import Health, Simulation, open_dataset
from commonground.datasets.describe import describe_data
from commonground.datasets.images import decode, encode
from commonground.errors import CommongroundError, DataError
from commonground.frame import Frame

from .bagging import KINDS, Maker, items_of, write
from .test_bags import layout

ROUNDS = 8
"""Kinds of damage tried in each format."""


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Return bytes that were cut, overwritten, doubled, zeroed or had bits flipped."""
    out = bytearray(data)
    if len(out) == 0:
        return b"\xff" * 8
    a, b = sorted(rng.integers(0, len(out), 2).tolist())
    b = min(b, a + 4096)
    way = int(rng.integers(6))
    if way == 0:
        return bytes(out[:a])
    if way == 1:
        out[a:b] = rng.bytes(b - a)
    elif way == 2:
        out[a:b] = bytes(b - a)
    elif way == 3:
        out[a:a] = out[a:b]
    elif way == 4:
        out[a : a + 4] = b"\xff\xff\xff\x7f"  # a length gone mad
    else:
        for k in rng.integers(0, len(out), 20):
            out[k] ^= 1 << int(rng.integers(8))
    return bytes(out)


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def survives(place: Path) -> int:
    """Read what can be read; the only error allowed is a known one. Return how many frames came."""
    count, before = 0, memory_mb()
    try:
        reader = open_dataset(place, health=Health(max_share=1.0))
        for robot in reader.robots():
            for frame in reader.frames(robot):
                assert isinstance(frame, Frame)
                assert np.isfinite(frame.T_odom_cam).all()
                count += 1
    except CommongroundError as error:
        assert 5 < len(str(error)) < 2000
    assert memory_mb() - before < 600
    return count


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damaged_folders(seed: int, folder: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    place = Path(shutil.copytree(folder, tmp_path / "copy"))
    files = sorted(p for p in place.rglob("*") if p.is_file() and p.name != "scene.json")
    few = [p for p in files if p.suffix not in (".png", ".jpg")]
    for file in (*rng.choice(np.array(files), 6), *rng.choice(np.array(few), seed % 3)):
        file.write_bytes(damaged(file.read_bytes(), rng))
    survives(place)


@pytest.fixture(scope="module")
def bags(drive: Simulation, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One small bag of each kind, with its YAML."""
    frames, path = list(drive.frames("husky"))[:8], drive.trajectory("husky")
    poses: list[Any] = list(zip(path.stamps_ns.tolist(), path.T_odom_robot, strict=True))[:100]
    out = {}
    for kind in KINDS:
        folder = tmp_path_factory.mktemp(kind)
        maker = Maker(kind)
        out[kind] = write(kind, folder / "run", items_of(maker, frames, poses), maker)
        layout(out[kind])
    return out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_damaged_bags(kind: str, seed: int, bags: dict[str, Path], tmp_path: Path) -> None:
    rng = np.random.default_rng([seed, len(kind)])
    place = tmp_path / "copy"
    shutil.copytree(bags[kind] if bags[kind].is_dir() else bags[kind].parent, place)
    files = sorted(p for p in place.iterdir() if p.suffix in (".bag", ".db3", ".mcap"))
    if seed % 4 == 3:
        files = sorted(p for p in place.iterdir() if p.suffix == ".yaml")
    for file in files:
        for _ in range(1 + seed % 2):
            file.write_bytes(damaged(file.read_bytes(), rng))
    survives(
        place if place.joinpath("metadata.yaml").exists() else next(place.glob("*.bag"), place)
    )


@pytest.mark.parametrize("seed", range(6))
def test_damaged_kimera(
    seed: int, drive: Simulation, bags: dict[str, Path], tmp_path: Path, kimera: Path
) -> None:
    rng = np.random.default_rng(seed)
    place = Path(shutil.copytree(kimera, tmp_path / "copy"))
    files = [place / "husky.bag", *place.glob("ground_truth/*.csv"), place / "labels.yaml"]
    for file in files[: 1 + seed % 3]:
        file.write_bytes(damaged(file.read_bytes(), rng))
    survives(place)


def test_labels_without_a_number_are_told_in_a_line(tmp_path: Path, kimera: Path) -> None:
    place = Path(shutil.copytree(kimera, tmp_path / "copy"))
    (place / "labels.yaml").write_text("4{}: tree\n")
    with pytest.raises(DataError, match="labels.yaml: '4{}' is no number of a label"):
        open_dataset(place)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_rgbd_folders(seed: int, drive: Simulation, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    for k, frame in enumerate(list(drive.frames("husky"))[:8]):
        name = tmp_path / f"frame-{k:06d}"
        Path(f"{name}.color.png").write_bytes(encode(frame.rgb, "png"))
        Path(f"{name}.depth.png").write_bytes(encode(np.full((120, 160), 900, np.uint16), "png"))
        np.savetxt(f"{name}.pose.txt", frame.T_world_cam)
    for file in rng.choice(np.array(sorted(tmp_path.iterdir())), 6):
        file.write_bytes(damaged(file.read_bytes(), rng))
    survives(tmp_path)


def test_info_also_survives(folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "copy"))
    for file in sorted(place.glob("husky/forward/rgb/*"))[:3]:
        file.write_bytes(b"")
    about = describe_data(place)
    assert any("skipped" in note for note in about["notes"])


# ---- images ----


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_an_image_or_told(data: bytes) -> None:
    for head in (b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0"):
        try:
            image = decode(head + data, color=True)
        except DataError as error:
            assert str(error)
        else:
            assert image.ndim == 3


@pytest.mark.parametrize("kind", ["png", "jpg"])
def test_a_header_that_claims_too_much_is_refused(kind: str) -> None:
    data = bytearray(encode(np.zeros((48, 64, 3), np.uint8), kind))
    if kind == "png":
        data[16:24] = (60_000).to_bytes(4, "big") * 2
        data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    else:
        at = data.index(b"\xff\xc0")
        data[at + 5 : at + 9] = (60_000).to_bytes(2, "big") * 2
    before = memory_mb()
    with pytest.raises(DataError, match="header is damaged"):
        decode(bytes(data), color=True)
    assert memory_mb() - before < 100


def test_one_cause_is_counted_once_whatever_file_it_is_in() -> None:
    health = Health(max_share=1.0)
    for k in range(30):
        health.skip(f"rgb/{k}.png", f"its depth 17.{k:06d}.png: the image is 160×120")
    assert "30 × its depth: the image is 160×120" in health.summary()
    assert "17.000000.png" in health.summary(), "the first is named"


def test_what_is_sound_before_the_first_broken_frame_is_told() -> None:
    for sound, told in ((30, True), (5, False)):
        health = Health()
        for _ in range(sound):
            health.passed()
        with pytest.raises(DataError, match="more than 20%") as caught:
            for k in range(30):
                health.skip(f"image {k}", "no pose")
        assert (f"the {sound} frames before it are sound" in str(caught.value)) == told
