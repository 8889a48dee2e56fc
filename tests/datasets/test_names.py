"""Datasets whose names would lead elsewhere are refused, and nothing outside them is read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from commonground.datasets import open_dataset
from commonground.datasets.folder import MARKER
from commonground.datasets.household import load_tasks
from commonground.datasets.readers.layout import BagLayout
from commonground.errors import CommongroundError

OUTSIDE = ["../../x", "/etc", "..", "a\0b"]


@pytest.mark.parametrize("name", OUTSIDE, ids=ascii)
def test_a_robot_does_not_lead_out_of_its_dataset(name: str, folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "copy"))
    marker = yaml.safe_load((place / MARKER).read_text())
    marker["robots"] = {name: 3}
    (place / MARKER).write_text(yaml.safe_dump(marker))
    with pytest.raises(CommongroundError, match="is no name|holds a NUL"):
        open_dataset(place)


@pytest.mark.parametrize("name", OUTSIDE, ids=ascii)
def test_a_camera_does_not_lead_out_of_its_robot(name: str, folder: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "copy"))
    file = place / "husky" / "cameras.yaml"
    cameras = yaml.safe_load(file.read_text())
    file.write_text(yaml.safe_dump({name: next(iter(cameras.values()))}))
    with pytest.raises(CommongroundError, match="is no name|holds a NUL"):
        open_dataset(place)


@pytest.mark.parametrize("file", ["../other.tum", "/etc/passwd"])
def test_a_layout_names_what_lies_beside_it(file: str) -> None:
    cameras = {"front": {"color": "/rgb", "depth": "/depth"}}
    robot = {"cameras": cameras, "odometry": {"file": "poses.tum"}}
    assert BagLayout.model_validate({"robots": {"spot": robot}})
    robot["odometry"] = {"file": file}
    with pytest.raises(ValueError, match=r"below the folder|is no name"):
        BagLayout.model_validate({"robots": {"spot": robot}})


def test_a_task_id_is_a_name(tmp_path: Path) -> None:
    task = {"id": "../../x", "floor": "1", "text": "go", "robots": []}
    file = tmp_path / "tasks.yaml"
    file.write_text(yaml.safe_dump({"tasks": [task]}))
    with pytest.raises(CommongroundError, match=r"tasks\.yaml:.*is no name"):
        load_tasks(file, {})
