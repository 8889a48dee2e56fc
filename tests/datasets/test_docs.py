"""The examples of docs/formats.md, run as they stand."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import yaml

from commonground.datasets import Simulation, SimulationSettings, open_dataset, opening
from commonground.datasets.images import encode, to_millimeters
from commonground.datasets.readers.layout import BagLayout
from commonground.tum import write_tum

DOCS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}[^\n]*\n(.*?)```", DOCS.read_text(), flags=re.DOTALL)


def module(code: str, place: Path) -> ModuleType:
    """Run code as a module of its own."""
    file = place / "example.py"
    file.write_text(code)
    spec = importlib.util.spec_from_file_location("example", file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_reading_example_runs(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(folder, tmp_path / "my_bags")
    monkeypatch.chdir(tmp_path)
    code = blocks("python")[0].replace("alpha", "husky")  # the page reads a robot of its own bags
    reader = module(code, tmp_path).reader
    assert reader.robots() == ("husky", "spot")


def test_the_simulation_example_runs(tmp_path: Path) -> None:
    made = module(blocks("python")[1], tmp_path)
    assert made.frame.rgb.shape == (240, 320, 3)
    assert len(made.truth.objects) > 100


def test_the_yaml_example_is_valid() -> None:
    layout = BagLayout.model_validate(yaml.safe_load(blocks("yaml")[0]))
    looks = layout.robots["rover"].cameras["front"].T_robot_color
    assert looks is not None
    assert np.allclose(looks.T[:3, 2], [1, 0, 0])  # forward
    assert np.allclose(looks.T[:3, 1], [0, 0, -1])  # rows go down


def test_the_new_reader_is_short_and_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = blocks("python")[2]
    assert len(code.splitlines()) <= 60
    made = module(code, tmp_path)
    settings = SimulationSettings.model_validate({"driving": {"length_m": 2, "frame_rate_hz": 1}})
    frames = list(Simulation(("husky",), settings).frames("husky"))
    data = tmp_path / "numbered"
    data.mkdir()
    for k, frame in enumerate(frames):
        (data / f"{k:04d}_color.png").write_bytes(encode(frame.rgb, "png"))
        (data / f"{k:04d}_depth.png").write_bytes(encode(to_millimeters(frame.depth_m), "png"))
    write_tum(
        data / "poses.tum",
        np.array([f.stamp_ns for f in frames]),
        np.array([f.T_odom_cam for f in frames]),
    )
    monkeypatch.setattr(opening, "_plugins", lambda: (made.FORMAT,))
    reader = open_dataset(data)
    assert reader.format == "numbered"
    for a, b in zip(reader.frames("rover"), frames, strict=True):
        assert np.array_equal(a.rgb, b.rgb)
        assert np.allclose(a.T_odom_cam, b.T_odom_cam, atol=1e-7)
