"""``commonground simulate`` and ``commonground data info``, as people and programs call them."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from commonground.cli.main import run
from commonground.datasets import Simulation, open_dataset
from commonground.datasets.making import Wishes, settings_with
from commonground.datasets.settings import SimulationSettings
from commonground.demo import sample_scene
from commonground.objects import ObjectMap, save_objects
from commonground.scene import save_scene
from commonground.tum import read_tum, write_tum

from .bagging import Maker, items_of, write
from .test_bags import layout

SMALL = [
    "--length",
    "6",
    "--size",
    "160x120",
    "--set",
    "simulation.world.size_m=100",
    "--set",
    "simulation.driving.frame_rate_hz=1",
]


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, dict[str, Any], str]:
    """Run a command with --json; return its exit code, its object and what it said on stderr."""
    code = run([*map(str, args), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out), said.err


def test_a_dataset_is_made_and_described(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "data"
    code, made, _ = call(
        capsys, "simulate", "--out", out, "--robots", "spot,husky", "--seed", 4, *SMALL
    )
    assert code == 0
    assert made["robots"] == ["spot", "husky"]
    assert made["settings"]["seed"] == 4
    assert made["settings"]["world"]["seed"] == 4
    code, about, _ = call(capsys, "data", "info", out)
    assert code == 0
    assert about["kind"] == "dataset"
    assert about["format"] == "folder"
    spot = about["robots"]["spot"]
    assert set(spot["cameras"]) == {"front", "left", "right"}
    assert spot["frames"] + about["robots"]["husky"]["frames"] == made["frames"]
    assert spot["rate_hz"] == pytest.approx(1.0, abs=0.1)
    assert 4 < spot["distance_m"] < 8
    assert 0.2 < spot["depth_m"]["share"] <= 1
    assert about["missing"] == []
    assert about["truth"]["objects"] > 50


def test_a_later_session_tells_its_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, made, _ = call(
        capsys,
        "simulate",
        "--out",
        tmp_path / "later",
        "--robots",
        "husky",
        "--session",
        1,
        "--changes",
        0.5,
        *SMALL,
    )
    assert code == 0
    assert len(made["changes"]) >= 3
    assert (tmp_path / "later" / "changes.txt").read_text().splitlines() == made["changes"]
    assert made["settings"]["world"]["session"] == 1


def test_an_office_as_a_bag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "office"
    args = [
        "--world",
        "office",
        "--format",
        "ros1bag",
        "--robots",
        "husky",
        "--length",
        "4",
        "--size",
        "160x120",
    ]
    code, made, _ = call(capsys, "simulate", "--out", out, *args)
    assert code == 0
    assert (out / "husky.bag").is_file()
    code, about, _ = call(capsys, "data", "info", out)
    assert (code, about["format"]) == (0, "kimera-multi")
    assert about["robots"]["husky"]["frames"] == made["frames"]
    code, alone, _ = call(capsys, "data", "info", out / "husky.bag")
    assert alone["robots"]["husky"]["frames"] == made["frames"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--world", "moon"], "'campus', 'office' or 'hybrid'"),
        (["--format", "ros2bag"], "Did you mean 'ros1bag'"),
        (["--size", "big"], "640x480"),
        (["--robots", "spot,spot"], "names of their own"),
        (["--robots", "a b"], "letters, digits"),
        (["--set", "simulation.driving.length_m=-3"], "length_m"),
        (["--set", "simulation.sensor.wdth=3"], "Did you mean 'width'"),
        (["--set", "simulation.world.changes=2"], "changes"),
    ],
)
def test_wrong_wishes_are_told_and_nothing_is_written(
    args: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told, said = call(capsys, "simulate", "--out", tmp_path / "no", *args)
    assert code == 1
    assert message in told["reason"]
    assert "Traceback" not in said
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("option", [("--length", "-3"), ("--length", "1e9"), ("--changes", "2")])
def test_numbers_out_of_range_are_told(
    option: tuple[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["simulate", "--out", str(tmp_path / "no"), *option]) == 2
    assert f"'{option[0]}'" in capfd.readouterr().err
    assert not (tmp_path / "no").exists()


def test_info_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], drive: Simulation
) -> None:
    maker, path = Maker("mcap"), drive.trajectory("husky")
    poses = list(zip(path.stamps_ns.tolist(), path.T_odom_robot, strict=True))
    bag = write(
        "mcap", tmp_path / "run", items_of(maker, list(drive.frames("husky")), poses), maker
    )
    code, told, _ = call(capsys, "data", "info", bag)
    assert code == 1
    assert "/cam/color (Image" in told["reason"]
    layout(bag)
    code, about, _ = call(capsys, "data", "info", bag)
    assert code == 0
    assert any("no true scene graph" in line for line in about["missing"])
    assert any("no true poses" in line for line in about["missing"])
    assert any("masks must come from a segmenter" in line for line in about["missing"])
    assert any("depth is in millimeters" in line for line in about["notes"])


def test_info_tells_of_the_robots_that_can_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    data = copytree(folder, tmp_path / "data")
    (data / "spot" / "odometry.tum").unlink()
    code, about, _ = call(capsys, "data", "info", data)
    assert code == 0
    assert list(about["robots"]) == ["husky"]
    assert any(line.startswith("spot: ") and "odometry.tum" in line for line in about["missing"])
    assert any("copy groundtruth.tum to it to map by the true" in line for line in about["missing"])
    (data / "husky" / "odometry.tum").unlink()
    assert call(capsys, "data", "info", data)[0] == 1


def test_info_finds_gaps_and_broken_frames(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    odometry = copy / "husky" / "odometry.tum"
    lines = odometry.read_text().splitlines()
    odometry.write_text("\n".join(lines[:60] + lines[110:]) + "\n")
    for file in copy.glob("spot/left/rgb/*"):
        file.write_bytes(b"")
    code, about, _ = call(capsys, "data", "info", copy)
    assert code == 0
    assert about["robots"]["husky"]["odometry"]["gaps"] == 1
    assert about["robots"]["husky"]["odometry"]["longest_gap_s"] > 2
    assert any("skipped" in note and "zero bytes" in note for note in about["notes"])


def test_info_of_what_nobody_can_map_ends_in_an_error(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = copytree(folder, tmp_path / "copy")
    for file in [*copy.glob("*/*/rgb/*")][::2]:
        file.write_bytes(b"")
    code, about, _ = call(capsys, "data", "info", copy)
    assert (code, about["usable"]) == (0, True)
    for file in copy.glob("*/*/rgb/*"):
        file.write_bytes(b"")
    code, about, _ = call(capsys, "data", "info", copy)
    assert (code, about["usable"]) == (1, False)
    assert any("none of the frames tried can be used" in line for line in about["missing"])


def test_info_tells_where_odometry_jumps(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = copytree(folder, tmp_path / "copy")
    stamps, T = read_tum(copy / "husky" / "odometry.tum")
    T[40:, :2, 3] += 30
    write_tum(copy / "husky" / "odometry.tum", stamps, T)
    missing = call(capsys, "data", "info", copy)[1]["missing"]
    jumps = [line for line in missing if "jumps" in line]
    assert len(jumps) == 1 and jumps[0].startswith("husky: sound odometry: it jumps by 42.")
    assert "in meters?" not in jumps[0]


def test_info_doubts_meters_of_odometry_and_tells_of_its_silence(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = copytree(folder, tmp_path / "copy")
    stamps, T = read_tum(copy / "husky" / "odometry.tum")
    T[:, :3, 3] *= 1000
    stamps[len(stamps) // 2 :] += 3600 * 10**9
    write_tum(copy / "husky" / "odometry.tum", stamps, T)
    missing = call(capsys, "data", "info", copy)[1]["missing"]
    assert any("jumps by" in line and "are its positions in meters?" in line for line in missing)
    assert any("it is silent for 3600 s" in line for line in missing)


@pytest.mark.parametrize(("name", "told"), [("a.g2o", "fuse"), ("a.graphml", "is written only")])
def test_info_says_what_takes_a_file_that_is_no_recording(
    tmp_path: Path, name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("")
    code, about, _ = call(capsys, "data", "info", tmp_path / name)
    assert code == 1 and told in about["reason"]


def test_info_takes_scene_graphs_and_object_maps(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, about, _ = call(capsys, "data", "info", folder / "scene.json")
    assert (code, about["kind"]) == (0, "scene graph")
    assert about["layers"]["objects"]["nodes"] > 50
    save_objects(ObjectMap.of(np.zeros((3, 3))), tmp_path / "objects.npz")
    code, about, _ = call(capsys, "data", "info", tmp_path / "objects.npz")
    assert (code, about["kind"], about["layers"]["objects"]["nodes"]) == (0, "object map", 3)


@pytest.mark.parametrize("what", ["table", "missing path", "empty folder", "text file"])
def test_info_for_people(
    what: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    place = {
        "table": folder,
        "missing path": tmp_path / "b",
        "empty folder": tmp_path / "empty",
        "text file": tmp_path / "a.txt",
    }[what]
    code = run(["data", "info", str(place)])
    said = capsys.readouterr()
    assert code == (0 if what == "table" else 1)
    if what == "table":
        assert "husky" in said.out
        assert "160×120" in said.out
    else:
        assert said.err.count("\n") == 1
        assert str(place) in said.err


def test_wishes_win_over_settings_and_keep_the_rest() -> None:
    base = SimulationSettings.model_validate({"seed": 7, "sensor": {"width": 320, "height": 240}})
    made = settings_with(base, Wishes(world="office", length_m=33, seed=2))
    assert (made.world.kind, made.driving.length_m) == ("office", 33)
    assert (made.seed, made.world.seed) == (7, 2)
    assert made.sensor.width == 320


def test_asking_for_changes_means_a_later_session() -> None:
    assert settings_with(SimulationSettings(), Wishes(changes=0.3)).world.session == 1
    assert settings_with(SimulationSettings(), Wishes(changes=0.3, session=4)).world.session == 4
    assert settings_with(SimulationSettings(), Wishes(changes=0.0)).world.session == 0


def test_the_same_command_gives_the_same_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        assert (
            call(capsys, "simulate", "--out", tmp_path / name, "--robots", "husky", *SMALL)[0] == 0
        )
    one, two = (sorted(p for p in (tmp_path / n).rglob("*") if p.is_file()) for n in ("a", "b"))
    assert [p.relative_to(tmp_path / "a") for p in one] == [
        p.relative_to(tmp_path / "b") for p in two
    ]
    assert all(p.read_bytes() == q.read_bytes() for p, q in zip(one, two, strict=True))
    assert open_dataset(tmp_path / "a").length("husky") > 3


def test_a_bag_cut_off_is_named_once(
    kimera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = next(kimera.glob("*.bag"))
    cut = tmp_path / whole.name
    cut.write_bytes(whole.read_bytes()[:-200])
    code, _, said = call(capsys, "data", "info", tmp_path)
    assert code == 0
    assert " ".join(said.split()).count("has no whole index") == 1


def test_classes_that_are_not_listed_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_scene(sample_scene(), tmp_path / "map.json")
    assert run(["data", "info", str(tmp_path / "map.json")]) == 0
    assert "rock and 1 more" in capsys.readouterr().out
